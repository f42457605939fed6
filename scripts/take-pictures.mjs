// node scripts/take-pictures.mjs: the pictures of the README and of the manifest, taken of the built app on its own
// demo clinic: two people in the middle of counting Downtown. CHROMIUM names another browser than the system's.
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { buildIfStale } from './build.mjs'
import { demoPassword, openDesk, startServer } from './demo-desk.mjs'

const root = path.resolve(import.meta.dirname, '..')
const pictures = [
  { file: 'public/screenshots/count-wide.png', width: 1280, height: 800 },
  { file: 'public/screenshots/count-narrow.png', width: 390, height: 844 },
  { file: 'docs/pictures/count-screen.png', width: 1280, height: 800 },
]
/** Installers load them before they ask: a picture is at most this large. */
const mostBytes = 300_000
/** One scan in this many milliseconds, by two people together. */
const scanEveryMs = 1700

/** Counts about two fifths of Downtown, and returns the sheet and the labels that are scanned before the camera. */
async function countDowntown(origin) {
  const [maya, ben] = await Promise.all([openDesk(origin, 'maya'), openDesk(origin, 'ben')])
  const frames = await maya.rows('frames')
  const expected = frames
    .filter((frame) => frame.store_id === 1 && ['Ready for Sale', 'Defective'].includes(frame.status))
    .toSorted((a, b) => a.brand_name.localeCompare(b.brand_name) || a.id_inventory - b.id_inventory)
  const elsewhere = frames.filter((frame) => frame.store_id === 2 && frame.status === 'Ready for Sale')
  const sold = frames.filter((frame) => frame.store_id === 1 && frame.status === 'Sold')
  // Counters walk board by board: some brands are done, some begun, the rest not yet found.
  const found = expected.filter((_, index) => index % 43 !== 7).slice(0, Math.round(expected.length * 0.41))
  const scans = found.map((frame) => frame.sku)
  for (const [place, code] of [
    [40, elsewhere[3].sku],
    [110, sold[2].sku],
    [180, '0196542871133'],
    [250, elsewhere[9].sku],
    [330, '8056597233071'],
  ]) {
    scans.splice(place, 0, code)
  }

  const sheet = randomUUID()
  const whole = { brand_ids: [], vendor_ids: [], statuses: [], price_min_cents: null, price_max_cents: null }
  const began = Date.now() - (scans.length + 20) * scanEveryMs
  const notes = 'Window wall first, then the drawers behind the desk'
  const create = { id_count_sheet: sheet, scope: whole, notes, blind: false }
  await maya.send([{ id: randomUUID(), kind: 'count.create', body: create, at: began }])
  const events = scans.map((raw_code, index) => ({
    id: randomUUID(),
    kind: 'count.scan',
    body: { id_count_sheet: sheet, raw_code, id_inventory: null, via: 'scanner', previous_scan: null },
    at: began + (index + 4) * scanEveryMs,
  }))
  const isBens = (_, index) => Math.floor(index / 14) % 2 === 1
  await maya.send(events.filter((event, index) => !isBens(event, index)))
  await ben.send(events.filter(isBens))
  const next = expected.filter((frame) => !found.includes(frame))
  return { sheet, labels: next.slice(-3).map((frame) => frame.sku) }
}

async function openSheet(browser, origin, username, sheet, options) {
  const context = await browser.newContext({ colorScheme: 'dark', reducedMotion: 'reduce', serviceWorkers: 'block', ...options })
  const page = await context.newPage()
  await page.goto(`${origin}/login`)
  await page.getByLabel('Email or username').fill(username)
  await page.getByLabel('Password', { exact: true }).first().fill(demoPassword)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto(`${origin}/inventory/count-sheets/${sheet}`)
  await page.getByRole('region', { name: 'Last scan' }).waitFor()
  const counted = Number(await page.getByTestId('counted').innerText())
  if (!(counted > 0)) await page.waitForFunction(() => Number(document.querySelector('[data-testid="counted"]')?.textContent) > 0)
  return page
}

/** Pulls the trigger of a scanner that types. */
async function scan(page, label) {
  await page.keyboard.type(label)
  await page.keyboard.press('Enter')
}

const dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-pictures-'))
await buildIfStale()
const server = await startServer(dataFolder)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  const { sheet, labels } = await countDowntown(server.origin)
  await openSheet(browser, server.origin, 'ben', sheet, { viewport: { width: 1024, height: 768 } })
  const page = await openSheet(browser, server.origin, 'maya', sheet, { viewport: { width: 1280, height: 800 } })
  for (const { file, width, height } of pictures) {
    await page.setViewportSize({ width, height })
    const start = page.getByRole('button', { name: 'Start counting' })
    if (await start.isVisible()) await start.click()
    await scan(page, labels.pop())
    await page.locator('[data-outcome="counted"]').waitFor()
    await page.getByRole('region', { name: 'Last scan' }).getByText('Sent', { exact: true }).waitFor()
    await page.getByRole('link', { name: /^Online/ }).waitFor()
    const picture = path.join(root, file)
    fs.mkdirSync(path.dirname(picture), { recursive: true })
    await page.screenshot({ path: picture })
    const { size } = fs.statSync(picture)
    if (size > mostBytes) throw new Error(`${file} has ${size} bytes; ${mostBytes} is the most`)
    console.log(`${file}: ${Math.round(size / 1000)} kB`)
  }
} finally {
  await browser.close()
  server.stop()
  fs.rmSync(dataFolder, { recursive: true, force: true })
}
