import type { Page } from 'playwright-core'
import { openTablet } from '#tests/support/browser.ts'
import { scanAtPace } from '#tests/e2e/wedge-scanner.ts'
import type { Bench, Measure } from '../bench.ts'
import { makeSheet, openLargeClinic, patientMirror, shareOfStore, signIn, waitForMirror } from '../clinic.ts'
import { atMost, told, type Section } from '../section.ts'
import { at, type Blocks, pairedRatio, spreadOf } from '../statistics.ts'

const lines = 10_000
/** Not ten: a scan at every sixth frame would keep the same place within a frame for the whole run. */
const perSecond = 10.3
const longFrameMs = 50
/** Length of a turn. */
const turnSeconds = 10
/** By then the last scan has been sent. */
const restMs = 2000

type LongFrame = { ms: number; ours: number; scripts: string[] }
type Watched = { enters: number[]; sounds: number[]; frames: LongFrame[] }

/** Notes when a label's last key was pressed, when a tone began, and every frame that took long. Runs before the app. */
function watch(): void {
  const watched: Watched = { enters: [], sounds: [], frames: [] }
  Object.assign(window, { watched })
  // For labels faster than a scanner's keys, the times are still in the future.
  const enter = ({ timeStamp }: KeyboardEvent) => watched.enters.push(Math.min(timeStamp, performance.now()))
  window.addEventListener('keydown', (event) => event.key === 'Enter' && enter(event), { capture: true })
  const start = Reflect.get(OscillatorNode.prototype, 'start')
  let isSounding = false
  OscillatorNode.prototype.start = function (when?: number) {
    // A tone of several beeps plans them all at once.
    if (!isSounding) watched.sounds.push(performance.now())
    isSounding = true
    queueMicrotask(() => (isSounding = false))
    Reflect.apply(start, this, [when])
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const said: unknown = Reflect.get(entry, 'scripts')
      const scripts: PerformanceEntry[] = Array.isArray(said) ? said : []
      watched.frames.push({
        ms: entry.duration,
        ours: scripts.reduce((sum, script) => sum + script.duration, 0),
        scripts: scripts.map((script) => `${Math.round(script.duration)} ms ${String(Reflect.get(script, 'invoker'))}`),
      })
    }
  }).observe({ type: 'long-animation-frame' })
}

async function watchedOn(page: Page): Promise<Watched> {
  return await page.evaluate(() => Reflect.get(window, 'watched') as Watched)
}

type Counted = { waits: number[]; longFrames: LongFrame[] }

/** A tablet that counts in its own chain. */
type Counting = {
  lines: number
  /** Scans the next labels of its sheet for so long. */
  countOn(seconds: number): Promise<Counted>
  close(): Promise<void>
}

async function openCounting(bench: Bench, patients: number): Promise<Counting> {
  const server = await openLargeClinic(bench.frames.length, patients)
  const tablet = await openTablet()
  const close = async () => {
    await tablet.close()
    await server.remove()
  }
  try {
    const sheet = await makeSheet(server, lines)
    // The runner's compiler marks functions with a helper that the page does not have.
    await tablet.context.addInitScript('globalThis.__name = (marked) => marked')
    await tablet.context.addInitScript(watch)
    const page = tablet.context.pages()[0] ?? (await tablet.context.newPage())
    await signIn(page, server)
    await waitForMirror(page)
    if (patients > 0) await waitForMirror(page, patientMirror)
    await page.goto(`${server.origin}/inventory/count-sheets/${sheet.id}`)
    await page.getByRole('button', { name: 'Start counting' }).click()
    await page.getByRole('region', { name: 'Last scan' }).waitFor()
    await page.waitForTimeout(3000)
    let scanned = 0
    return {
      lines: sheet.labels.length,
      async countOn(seconds) {
        await page.evaluate(() => {
          const watched = Reflect.get(window, 'watched') as Watched
          watched.frames.length = 0
          watched.enters.length = 0
          watched.sounds.length = 0
        })
        const labels = sheet.labels.slice(scanned, scanned + Math.round(seconds * perSecond))
        scanned += labels.length
        await scanAtPace(page, labels, perSecond)
        await page.waitForTimeout(restMs)
        const { enters, sounds, frames } = await watchedOn(page)
        if (sounds.length !== enters.length) bench.say(`${enters.length} scans, ${sounds.length} tones`)
        const waits = enters.map((entered, index) => (sounds[index] ?? Number.POSITIVE_INFINITY) - entered)
        const longFrames = frames.filter(({ ms }) => ms > longFrameMs)
        for (const { ms, scripts } of longFrames) bench.say(`a frame of ${told(ms)} ms: ${scripts.join(', ') || 'no script'}`)
        return { waits, longFrames }
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const secondsOf = ({ isLong }: Bench) => (isLong ? 600 : 60)

export const counting: Measure = {
  name: 'counting',
  async run(bench): Promise<Section> {
    const alone: Counted[] = []
    const beside: Counted[] = []
    const tablets: Counting[] = []
    try {
      for (const patients of [0, Math.round(bench.patients / shareOfStore)]) tablets.push(await openCounting(bench, patients))
      // In turns, so that a busy moment of the machine is in both.
      for (let turn = 0; turn < secondsOf(bench) / turnSeconds; turn++) {
        const both = [alone, beside].map((counted, at) => async () => void counted.push(await tablets[at]!.countOn(turnSeconds)))
        for (const count of turn % 2 === 0 ? both : both.reverse()) await count()
      }
    } finally {
      for (const tablet of tablets) await tablet.close()
    }
    const waitsOf = (all: Counted[]): Blocks => all.map(({ waits }) => waits)
    const rowsOf = (name: string, all: Counted[]) => {
      const waits = waitsOf(all)
      const { p50, p95, p99 } = spreadOf(waits)
      const took = all.flatMap(({ longFrames }) => longFrames.map(({ ms }) => ms))
      return [
        [`scan to sound, ${name}`, String(waits.flat().length), told(p50), told(p95), told(p99), told(Math.max(...waits.flat()))],
        [`frames over 50 ms, ${name}`, String(took.length), took.length > 0 ? told(at(0.5, took)) : '', '', '', told(Math.max(0, ...took))],
      ]
    }
    const ours = [...alone, ...beside].flatMap(({ longFrames }) => longFrames).filter((frame) => frame.ours > longFrameMs)
    return {
      name: 'counting',
      title: `${perSecond} scans a second for ${secondsOf(bench)} s on a sheet of ${told(tablets[0]?.lines ?? 0)} lines, the screen open`,
      head: ['', 'n', 'p50, ms', 'p95, ms', 'p99, ms', 'most, ms'],
      rows: [...rowsOf('stock alone', alone), ...rowsOf(`beside ${told(bench.patients)} patients`, beside)],
      goals: [
        atMost('scan to sound, p99', spreadOf(waitsOf(alone)).p99, 50, ' ms'),
        atMost('scan to sound beside patients, p99', spreadOf(waitsOf(beside)).p99, 50, ' ms'),
        atMost('scan to sound beside patients, of without, p50', pairedRatio(waitsOf(beside), waitsOf(alone)).median, 1.1),
        atMost('frames over 50 ms in which our scripts took over 50 ms', ours.length, 0),
      ],
      notes: [
        `The built app with its own server on the same machine, online, draining the scans at the same time. Two tablets count in turns of ${turnSeconds} s; *of without* is the median of the ratios of neighboring turns. Patients: mirrored on the tablet, encrypted, and its user may see them.`,
      ],
    }
  },
}
