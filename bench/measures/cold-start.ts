import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fold } from '#contract/core/folding.ts'
import { patientColumns } from '#src/db/mirrors/patient-layout.ts'
import { openTablet } from '#tests/support/browser.ts'
import { inPage, openBenchPage, type Bench, type Measure } from '../bench.ts'
import { makeSheet, openLargeClinic, patientMirror, shareOfStore, signIn, waitForMirror } from '../clinic.ts'
import { openPlainBrowser } from '../plain-browser.ts'
import { openPageServer } from '../page-server.ts'
import { storePatients } from '../patients.ts'
import { atMost, ratio, spreadCells, told, type Section } from '../section.ts'
import { pairedRatio, type Blocks } from '../statistics.ts'
import { removeFolder } from '#tests/support/remove-folder.ts'

const lines = 1000

/** Times since the navigation began, ms. */
type Seen = { painted: number | null; answered: number | null }
/** The action in a fresh browser whose answer is noted: a scanned label, or a typed name. */
type Doing = { label: string } | { name: string } | null

/**
 * Notes when the first row is on the screen; with a label, scans it there and then and notes when its outcome shows.
 * Runs before anything of the page.
 */
function watch(label: string | null): void {
  const seen: Seen = { painted: null, answered: null }
  Object.assign(window, { seen })
  const painted = (then: (at: number) => void) => requestAnimationFrame(() => setTimeout(() => then(performance.now())))
  const press = (key: string) =>
    window.dispatchEvent(new KeyboardEvent('keydown', { key, keyCode: key.toUpperCase().charCodeAt(0), bubbles: true }))
  let found = false
  let asked = false
  new MutationObserver(() => {
    if (!found && document.querySelector('[data-index]')) {
      found = true
      painted((at) => {
        seen.painted = at
        if (label === null) return
        for (const key of label) press(key)
        press('Enter')
        asked = true
      })
    }
    if (asked && seen.answered === null && document.querySelector('[data-outcome]')) painted((at) => (seen.answered ??= at))
  }).observe(document, { subtree: true, childList: true })
}

/** Types a name as soon as there is a field for it, and notes when the first patient shows. Runs before anything of the page. */
function watchForPatient(name: string): void {
  const seen: Seen = { painted: null, answered: null }
  Object.assign(window, { seen })
  const painted = (then: (at: number) => void) => requestAnimationFrame(() => setTimeout(() => then(performance.now())))
  let typed = false
  new MutationObserver(() => {
    const fieldNow = () => document.querySelector<HTMLInputElement>('section[aria-label="Patients"] input')
    if (!typed && fieldNow()) {
      typed = true
      painted((at) => {
        seen.painted = at
        // Another element may be in its place by now.
        const field = fieldNow()
        if (!field) return
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, name)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      })
    }
    if (seen.answered === null && document.querySelector('[aria-label="Patients found"] a')) painted((at) => (seen.answered ??= at))
  }).observe(document, { subtree: true, childList: true })
}

/** By then a starting browser has opened its own pages, which take both cores. */
const settledMs = 1500

async function start(profile: string, address: string, doing: Doing): Promise<Seen> {
  const browser = await openPlainBrowser(profile)
  try {
    await pause(settledMs)
    const [look, given] = doing !== null && 'name' in doing ? [watchForPatient, doing.name] : [watch, doing?.label ?? null]
    // The runner's compiler marks functions with a helper that the page does not have.
    await browser.open(address, `globalThis.__name = (marked) => marked; (${look.toString()})(${JSON.stringify(given)})`)
    return await until(async () => {
      const seen = await browser.read<Seen | null>('globalThis.seen ?? null')
      const at = (doing === null ? seen?.painted : seen?.answered) ?? null
      return at === null ? null : seen
    })
  } finally {
    await browser.close()
  }
}

/** Asks from time to time, seldom enough not to slow the page. */
async function until<T>(look: () => Promise<T | null>): Promise<T> {
  const patience = performance.now() + 60_000
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (performance.now() > patience) throw new Error('Nothing came of a cold start within a minute')
    await pause(100)
  }
}

/**
 * The bare page with its worker and its full database, in its own profile, and beside it a page of React with one field. It stops their
 * server at the end.
 */
async function makeBare(bench: Bench, profile: string): Promise<{ rows: string; field: string }> {
  const server = await openPageServer(bench.folder, bench.frames)
  const tablet = await openTablet({ profile })
  try {
    await inPage({ tablet, server }, 'fill', 'raw')
    const page = await openBenchPage({ tablet, server })
    await page.goto(`${server.origin}/bench/bare.html?install`)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.waitForTimeout(1000)
    return { rows: `${server.origin}/bench/bare.html`, field: `${server.origin}/bench/bare-react.html` }
  } finally {
    await tablet.close()
    await server.close()
  }
}

/** The app with everything mirrored, patients too, and a sheet of 1,000 lines. It stops the server at the end. */
async function makeOurs(bench: Bench, profile: string): Promise<{ home: string; address: string; labels: string[] }> {
  const server = await openLargeClinic(bench.frames.length, Math.round(bench.patients / shareOfStore))
  const tablet = await openTablet({ profile })
  try {
    const sheet = await makeSheet(server, lines)
    const page = tablet.context.pages()[0] ?? (await tablet.context.newPage())
    await signIn(page, server)
    await waitForMirror(page)
    await waitForMirror(page, patientMirror)
    const address = `${server.origin}/inventory/count-sheets/${sheet.id}`
    await page.goto(address)
    await page.locator('[data-index]').first().waitFor({ timeout: 120_000 })
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await page.waitForTimeout(3000)
    return { home: `${server.origin}/`, address, labels: sheet.labels }
  } finally {
    await tablet.close()
    await server.remove()
  }
}

export const coldStart: Measure = {
  name: 'cold-start',
  async run(bench): Promise<Section> {
    const profiles = ['ours', 'bare'].map((name) => fs.mkdtempSync(path.join(os.tmpdir(), `lorgnette-bench-${name}-`)))
    const [ourProfile = '', bareProfile = ''] = profiles
    try {
      const ours = await makeOurs(bench, ourProfile)
      const bareAddresses = await makeBare(bench, bareProfile)
      const painted: Blocks = []
      const answered: Blocks = []
      const foundPatient: Blocks = []
      const bare: Blocks = []
      const bareReact: Blocks = []
      const names = storePatients(200)
        .pages.flat()
        .map((row) => fold(String(row[patientColumns.indexOf('last_name')])).slice(0, 3))
      for (let round = 0; round < Math.max(7, bench.rounds); round++) {
        const turns = [
          async () => {
            const seen = await start(ourProfile, ours.address, { label: ours.labels[round] ?? '' })
            painted.push([seen.painted ?? Number.NaN])
            answered.push([seen.answered ?? Number.NaN])
          },
          async () => {
            const seen = await start(ourProfile, ours.home, { name: names[round] ?? 'a' })
            foundPatient.push([seen.answered ?? Number.NaN])
          },
          async () => void bare.push([(await start(bareProfile, bareAddresses.rows, null)).painted ?? Number.NaN]),
          async () => void bareReact.push([(await start(bareProfile, bareAddresses.field, null)).painted ?? Number.NaN]),
        ]
        for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
      }
      const row = (name: string, blocks: Blocks) => [name, ...spreadCells(blocks).slice(0, 3), ratio(pairedRatio(blocks, bare))]
      return {
        name: 'cold-start',
        title: `Cold start offline, ${told(bench.frames.length)} frames and ${told(bench.patients)} patients mirrored`,
        head: ['from navigation to', 'n', 'p50, ms', 'p95, ms', 'of the bare page'],
        rows: [
          row('first row of a sheet painted', painted),
          row('first scan answered on the screen', answered),
          row('first patient found', foundPatient),
          row('bare page: 50 rows by cursor painted', bare),
          row('bare page of React: one field painted', bareReact),
        ],
        goals: [
          atMost('first row painted, of the bare page', pairedRatio(painted, bare).median, 0.8),
          atMost('first look-up answered, of the bare page', pairedRatio(answered, bare).median, 1.2),
          atMost('first patient found, of the bare page', pairedRatio(foundPatient, bare).median, 3),
        ],
        notes: [
          `Each start has a fresh browser process that is idle before the page opens; the server is stopped. The sheet has ${told(ours.labels.length)} lines. The look-up is a scan, so it is also on the disk when it shows. The search for a patient is three letters, typed as soon as the home page has a field for them; the patient has been decrypted by then. The bare page has 50 lines of script and a cache-first worker; that of React has only a field.`,
        ],
      }
    } finally {
      for (const profile of profiles) removeFolder(profile)
    }
  },
}
