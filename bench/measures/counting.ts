import type { Page } from 'playwright-core'
import { openTablet } from '#tests/support/browser.ts'
import { scanAtPace } from '#tests/e2e/wedge-scanner.ts'
import type { Bench, Measure } from '../bench.ts'
import { makeSheet, openLargeClinic, patientMirror, shareOfStore, signIn, waitForMirror } from '../clinic.ts'
import { atMost, told, type Section } from '../section.ts'
import { at, spreadOf } from '../statistics.ts'

const lines = 10_000
const perSecond = 10
const longFrameMs = 50
const turns = 2

type LongFrame = { ms: number; ours: number; scripts: string[] }
type Watched = { enters: number[]; sounds: number[]; frames: LongFrame[] }

/** Notes when a label's last key was pressed, when a tone began, and every frame that took long. Runs before the app. */
function watch(): void {
  const watched: Watched = { enters: [], sounds: [], frames: [] }
  Object.assign(window, { watched })
  // Labels that come faster than a scanner's keys allow are told with times that are still to come.
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

type Counted = { lines: number; waits: number[]; longFrames: LongFrame[] }

/** A tablet that counts in a chain of its own, for a turn. */
async function countBeside(bench: Bench, patients: number, turn: number): Promise<Counted> {
  const seconds = secondsOf(bench) / turns
  const server = await openLargeClinic(bench.frames.length, patients)
  const tablet = await openTablet()
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
    await page.evaluate(() => {
      const watched = Reflect.get(window, 'watched') as Watched
      watched.frames.length = 0
      watched.enters.length = 0
      watched.sounds.length = 0
    })
    await scanAtPace(page, sheet.labels.slice(turn * seconds * perSecond, (turn + 1) * seconds * perSecond), perSecond)
    await page.waitForTimeout(2000)
    const { enters, sounds, frames } = await watchedOn(page)
    if (sounds.length !== enters.length) bench.say(`${enters.length} scans, ${sounds.length} tones`)
    const waits = enters.map((entered, index) => (sounds[index] ?? Number.POSITIVE_INFINITY) - entered)
    const longFrames = frames.filter(({ ms }) => ms > longFrameMs)
    for (const { ms, scripts } of longFrames) bench.say(`a frame of ${told(ms)} ms: ${scripts.join(', ') || 'no script'}`)
    return { lines: sheet.labels.length, waits, longFrames }
  } finally {
    await tablet.close()
    await server.remove()
  }
}

function together(first: Counted, second: Counted): Counted {
  return { lines: first.lines, waits: [...first.waits, ...second.waits], longFrames: [...first.longFrames, ...second.longFrames] }
}

const secondsOf = ({ isLong }: Bench) => (isLong ? 600 : 60)

export const counting: Measure = {
  name: 'counting',
  async run(bench): Promise<Section> {
    const chain = Math.round(bench.patients / shareOfStore)
    // In turns, so that a busy hour of the machine is in both.
    const first = await countBeside(bench, 0, 0)
    const beside = together(await countBeside(bench, chain, 0), await countBeside(bench, chain, 1))
    const alone = together(first, await countBeside(bench, 0, 1))
    const waitsOf = ({ waits }: Pick<Counted, 'waits'>) => spreadOf([waits])
    const rowsOf = (name: string, { waits, longFrames }: Counted) => {
      const { p50, p95, p99 } = waitsOf({ waits })
      const took = longFrames.map(({ ms }) => ms)
      return [
        [`scan to sound, ${name}`, String(waits.length), told(p50), told(p95), told(p99), told(Math.max(...waits))],
        [`frames over 50 ms, ${name}`, String(took.length), took.length > 0 ? told(at(0.5, took)) : '', '', '', told(Math.max(0, ...took))],
      ]
    }
    const ours = [...alone.longFrames, ...beside.longFrames].filter((frame) => frame.ours > longFrameMs)
    return {
      name: 'counting',
      title: `${perSecond} scans a second for ${secondsOf(bench)} s on a sheet of ${told(alone.lines)} lines, the screen open`,
      head: ['', 'n', 'p50, ms', 'p95, ms', 'p99, ms', 'most, ms'],
      rows: [...rowsOf('stock alone', alone), ...rowsOf(`beside ${told(bench.patients)} patients`, beside)],
      goals: [
        atMost('scan to sound, p99', waitsOf(alone).p99, 50, ' ms'),
        atMost('scan to sound beside patients, p99', waitsOf(beside).p99, 50, ' ms'),
        atMost('scan to sound beside patients, of without, p50', waitsOf(beside).p50 / waitsOf(alone).p50, 1.1),
        atMost('frames over 50 ms in which our scripts took over 50 ms', ours.length, 0),
      ],
      notes: [
        'The built app with its own server on the same machine, online: what is scanned is drained meanwhile. Patients: mirrored on the tablet, encrypted, and its person allowed to see them.',
      ],
    }
  },
}
