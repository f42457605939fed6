import type { Page } from 'playwright-core'
import { openTablet } from '#tests/support/browser.ts'
import type { Measure } from '../bench.ts'
import { openLargeClinic, signIn, waitForMirror } from '../clinic.ts'
import { atMost, told, type Section } from '../section.ts'
import { at, spreadOf } from '../statistics.ts'

const longFrameMs = 50
const turns = 300
/** Pixels between two frames: a finger’s fast fling, and a dragged scroll bar, where every row is new. */
const paces = { fling: 150, drag: 2400 }

type Frames = { intervals: number[]; long: { ms: number; ours: number }[] }

/** Scrolls by so much with every frame and notes how long each took. */
async function scrollThrough(page: Page, px: number): Promise<Frames> {
  return await page.evaluate(
    async ({ count, px: step }) => {
      const found: Frames = { intervals: [], long: [] }
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const scripts: unknown = Reflect.get(entry, 'scripts')
          const ours = (Array.isArray(scripts) ? scripts : []).reduce((sum: number, script: PerformanceEntry) => sum + script.duration, 0)
          found.long.push({ ms: entry.duration, ours })
        }
      })
      observer.observe({ type: 'long-animation-frame' })
      let scroller: Element | null = document.querySelector('[role="grid"] [data-index]')
      while (scroller && scroller.scrollHeight <= scroller.clientHeight + step) scroller = scroller.parentElement
      if (!scroller) throw new Error('Nothing scrolls')
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
      let last = await frame()
      for (let turn = 0; turn < count; turn++) {
        scroller.scrollTop += step
        const now = await frame()
        found.intervals.push(now - last)
        last = now
      }
      await new Promise((resolve) => setTimeout(resolve, 500))
      observer.disconnect()
      return found
    },
    { count: turns, px },
  )
}

async function showEverything(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Store', { exact: true }).selectOption('')
  await page.getByLabel('Status', { exact: true }).selectOption('')
}

export const stockScreen: Measure = {
  name: 'stock-screen',
  async run(bench): Promise<Section> {
    const server = await openLargeClinic(bench.frames.length)
    const tablet = await openTablet()
    try {
      // The runner's compiler marks functions with a helper that the page does not have.
      await tablet.context.addInitScript('globalThis.__name = (marked) => marked')
      const page = tablet.context.pages()[0] ?? (await tablet.context.newPage())
      await signIn(page, server)
      await waitForMirror(page)
      await page.goto(`${server.origin}/inventory`)
      const firstRow = page.getByRole('row').nth(1)
      const loads: number[] = []
      for (let round = 0; round < 5; round++) {
        await page.reload()
        await firstRow.waitFor()
        loads.push(await page.evaluate(() => performance.now()))
      }
      await showEverything(page)
      await page.waitForTimeout(2000)
      const fling = await scrollThrough(page, paces.fling)
      const drag = await scrollThrough(page, paces.drag)
      const oursOver = (frames: Frames) => frames.long.filter((frame) => frame.ours > longFrameMs).length
      return {
        name: 'stock-screen',
        title: `The inventory on the screen, ${told(bench.frames.length)} frames`,
        head: ['', 'n', 'p50, ms', 'p95, ms', 'most, ms'],
        rows: [
          [
            'opened again: navigation to the first rows of the user’s store',
            String(loads.length),
            told(at(0.5, loads)),
            told(at(0.95, loads)),
            '',
          ],
          ...Object.entries({ [`a fling, ${paces.fling} px a frame`]: fling, [`a drag, ${told(paces.drag)} px a frame`]: drag }).map(
            ([name, { intervals }]) => {
              const { n, p50, p95 } = spreadOf([intervals])
              return [name, String(n), told(p50), told(p95), told(Math.max(...intervals))]
            },
          ),
        ],
        goals: [
          atMost('a frame of a fling, p95', spreadOf([fling.intervals]).p95, 34, ' ms'),
          atMost('its frames over 50 ms in which our scripts took over 50 ms', oursOver(fling), 0),
          atMost('the same of a drag', oursOver(drag), 0),
        ],
        notes: ['The built app and its own server on the same machine.'],
      }
    } finally {
      await tablet.close()
      await server.remove()
    }
  },
}
