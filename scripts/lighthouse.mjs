// npm run lighthouse [-- --only login,home] [--rounds 3] [--write]: Lighthouse over the built app on its own demo
// clinic, as a phone and as a desktop computer. `--only` takes the beginnings of page names. Each score is the median of the
// rounds; a busy machine makes them worse.
// The login screen opens for the first time; the other pages open as every day, with the worker in control.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sparticuz from '@sparticuz/chromium'
import lighthouse from 'lighthouse'
import desktopConfig from 'lighthouse/core/config/desktop-config.js'
import { chromium } from 'playwright-core'
import { buildIfStale } from './build.mjs'
import { demoPassword, freePort, openDesk, startServer } from './demo-desk.mjs'

const root = path.resolve(import.meta.dirname, '..')
const document = path.join(root, 'docs/performance.md')
const categories = ['performance', 'accessibility', 'best-practices']
/** The goals, in the order of the categories. */
const forms = [
  { name: 'mobile', config: undefined, goals: [95, 100, 100] },
  { name: 'desktop', config: desktopConfig, goals: [100, 100, 100] },
]
/** So many in the whole chain that the sheet of one store has its thousand lines. */
const frames = 4000

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, rounds: { type: 'string', default: '3' }, write: { type: 'boolean', default: false } },
})

/** A sheet over a whole store, with everything in it to be found. */
async function makeSheet(origin) {
  const maya = await openDesk(origin, 'maya')
  const sheet = randomUUID()
  const whole = { brand_ids: [], vendor_ids: [], statuses: [], price_min_cents: null, price_max_cents: null }
  const body = { id_count_sheet: sheet, scope: whole, notes: '', blind: false }
  await maya.send([{ id: randomUUID(), kind: 'count.create', body, at: Date.now() }])
  return sheet
}

async function signIn(origin, sheet) {
  const browser = await openBrowser()
  const [page = await browser.newPage()] = browser.pages()
  await page.goto(`${origin}/login`)
  await page.getByLabel('Email or username').fill('maya')
  await page.getByLabel('Password', { exact: true }).first().fill(demoPassword)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')
  // The pages are in their everyday state only when the worker and the mirror have everything, a thousand lines included.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.goto(`${origin}/inventory/count-sheets/${sheet}`)
  await page.getByRole('tab', { name: /^To find \(\d+,\d/ }).waitFor({ timeout: 120_000 })
  await browser.close()
}

/** Each round has a freshly started browser, as in the morning, without leftovers of earlier rounds in its memory. */
async function measure(url, { config }, keepsStorage) {
  const flags = { port, output: 'json', logLevel: 'error', onlyCategories: categories, disableStorageReset: keepsStorage }
  const rounds = []
  for (let tries = 0; rounds.length < Number(options.rounds); tries += 1) {
    const browser = await openBrowser()
    try {
      const { lhr } = await lighthouse(url, flags, config)
      if (!lhr.runtimeError) rounds.push(lhr)
      // Now and then the browser records nothing.
      else if (tries > 2 * Number(options.rounds)) throw new Error(`${url}: ${lhr.runtimeError.message}`)
    } finally {
      await browser.close()
    }
  }
  const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
  const scores = categories.map((category) => Math.round(100 * middle(rounds.map((lhr) => lhr.categories[category].score))))
  const timeOf = (audit) => middle(rounds.map((lhr) => lhr.audits[audit].numericValue))
  const failed = rounds.flatMap((lhr) =>
    ['accessibility', 'best-practices'].flatMap((category) =>
      lhr.categories[category].auditRefs
        .map(({ id }) => lhr.audits[id])
        .filter(({ score }) => score !== null && score < 1)
        .map(({ id, title, details }) => `${id}: ${title} ${JSON.stringify(details?.items?.[0] ?? '').slice(0, 400)}`),
    ),
  )
  return {
    scores,
    firstPaint: timeOf('first-contentful-paint'),
    largestPaint: timeOf('largest-contentful-paint'),
    blocked: timeOf('total-blocking-time'),
    shift: timeOf('cumulative-layout-shift'),
    failed: [...new Set(failed)],
  }
}

function sectionOf(rows, loads) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  const cpu = os.cpus()[0]?.model.match(/AMD EPYC|Intel\(R\) Xeon\(R\)|Apple M\d+/)?.[0] ?? 'unknown'
  return [
    '<!-- lighthouse -->',
    line(['page', 'as', 'performance', 'accessibility', 'best practices', 'first paint', 'largest paint', 'blocked', 'shift']),
    line(Array.from({ length: 9 }, () => '---')),
    ...rows.map(({ page, form, scores, firstPaint, largestPaint, blocked, shift }) =>
      line([
        page,
        form.name,
        ...scores.map((score, index) => (score >= form.goals[index] ? score : `**${score}** (${form.goals[index]} to reach)`)),
        `${(firstPaint / 1000).toFixed(1)} s`,
        `${(largestPaint / 1000).toFixed(1)} s`,
        `${Math.round(blocked)} ms`,
        shift.toFixed(3),
      ]),
    ),
    '',
    `\`npm run lighthouse\`, median of ${options.rounds}; ${os.cpus().length} cores (${cpu}), Node ${process.versions.node}, load ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}, ${new Date().toISOString().slice(0, 10)}.`,
    '<!-- end lighthouse -->',
  ].join('\n')
}

const workFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-lighthouse-'))
await buildIfStale()
const dataFolder = path.join(workFolder, 'data')
execFileSync(process.execPath, ['build/server/make-demo.js', '--frames', String(frames)], {
  cwd: root,
  env: { ...process.env, LORGNETTE_DATA: dataFolder, LORGNETTE_MODE: 'demo', DATABASE_URL: '' },
})
const server = await startServer(dataFolder)
const port = await freePort()

/** The profile keeps the browser's data from one start to the next. */
async function openBrowser() {
  return await chromium.launchPersistentContext(path.join(workFolder, 'profile'), {
    executablePath: fs.existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : await sparticuz.executablePath(),
    args: [`--remote-debugging-port=${port}`, '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    viewport: null,
  })
}

try {
  const sheet = await makeSheet(server.origin)
  const pages = [
    { name: 'login', path: '/login' },
    { name: 'home', path: '/' },
    { name: 'count sheets', path: '/inventory/count-sheets' },
    { name: 'a sheet of 1,000 lines', path: `/inventory/count-sheets/${sheet}` },
  ]
  const wanted = options.only?.split(',').map((name) => name.trim())
  const rows = []
  const loads = []
  let isIn = false
  for (const { name, path: place } of pages) {
    if (wanted && !wanted.some((beginning) => name.startsWith(beginning))) continue
    const isFirstVisit = place === '/login'
    if (!isFirstVisit && !isIn) {
      await signIn(server.origin, sheet)
      isIn = true
    }
    for (const form of forms) {
      loads.push(os.loadavg()[0])
      const row = { page: name, form, ...(await measure(server.origin + place, form, !isFirstVisit)) }
      rows.push(row)
      console.log(`${name}, ${form.name}: ${row.scores.join(' / ')} (load ${loads.at(-1).toFixed(1)})`)
      for (const failure of row.failed) console.log(`  ${failure}`)
    }
  }
  const section = sectionOf(rows, loads)
  console.log(section)
  if (options.write) {
    const before = fs.readFileSync(document, 'utf8')
    fs.writeFileSync(
      document,
      before.replace(/<!-- lighthouse -->.*<!-- end lighthouse -->/s, () => section),
    )
  }
  if (rows.some(({ scores, form }) => scores.some((score, index) => score < form.goals[index]))) process.exitCode = 1
} finally {
  server.stop()
  fs.rmSync(workFolder, { recursive: true, force: true })
}
