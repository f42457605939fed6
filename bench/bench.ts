import type { Page } from 'playwright-core'
import type { Frame } from '#contract/stock/frames.ts'
import type { Tablet } from '#tests/support/browser.ts'
import type { PageCalls } from './page/page.ts'
import type { Contestant } from './page/fills.ts'
import type { PageServer } from './page-server.ts'
import type { Section } from './section.ts'

/** The input of every measure. */
export type Bench = {
  /** The address of the bundled page. */
  folder: string
  tablet: Tablet
  server: PageServer
  frames: readonly Frame[]
  /** Number of patients for the page. */
  patients: number
  rounds: number
  isLong: boolean
  say(text: string): void
}

export type Measure = { name: string; run(bench: Bench): Promise<Section> }

/** Runs a call in its own page, whose memory is freed with it. */
export async function inPage<K extends keyof PageCalls>(
  bench: Pick<Bench, 'tablet' | 'server'>,
  name: K,
  ...args: Parameters<PageCalls[K]>
): Promise<Awaited<ReturnType<PageCalls[K]>>> {
  const page = await openBenchPage(bench)
  try {
    return await callIn(page, name, ...args)
  } finally {
    await page.close()
  }
}

export async function openBenchPage(bench: Pick<Bench, 'tablet' | 'server'>): Promise<Page> {
  const page = await bench.tablet.context.newPage()
  await page.goto(`${bench.server.origin}/`)
  await page.waitForFunction(() => 'bench' in window)
  return page
}

export async function callIn<K extends keyof PageCalls>(
  page: Page,
  name: K,
  ...args: Parameters<PageCalls[K]>
): Promise<Awaited<ReturnType<PageCalls[K]>>> {
  const answer: unknown = await page.evaluate(
    ({ name: asked, args: given }) => {
      const calls: Record<string, (...all: unknown[]) => unknown> = Reflect.get(window, 'bench')
      return calls[asked]?.(...given)
    },
    { name: name as string, args: args as unknown[] },
  )
  return answer as Awaited<ReturnType<PageCalls[K]>>
}

/** Fills the given contestants with all frames, except those that a former measure has filled. */
export async function filled(bench: Bench, contestants: readonly Contestant[]): Promise<void> {
  for (const contestant of contestants) {
    if (await inPage(bench, 'isFilled', contestant, bench.frames.length)) continue
    bench.say(`filling ${contestant}`)
    await inPage(bench, 'fill', contestant)
  }
}

/** Codes of frames from everywhere in the chain, the same in every run; `blocks` lists of `size`. */
export function codeBlocks(frames: readonly Frame[], blocks: number, size: number, codeOf: (frame: Frame) => string): string[][] {
  // A stride that shares no divisor with the number of frames visits them all, in an order that no cache favors.
  const stride = 7919
  let place = 0
  return Array.from({ length: blocks }, () =>
    Array.from({ length: size }, () => {
      place = (place + stride) % frames.length
      const frame = frames[place]
      return frame ? codeOf(frame) : ''
    }),
  )
}
