// node scripts/take-pictures.mjs: the pictures of the README and of the manifest, taken of the built app on a demo clinic
// of its own: two people in the middle of counting Downtown. CHROMIUM names another browser than the system's.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { buildIfStale } from './build.mjs'

const root = path.resolve(import.meta.dirname, '..')
const pictures = [
  { file: 'public/screenshots/count-wide.png', width: 1280, height: 800 },
  { file: 'public/screenshots/count-narrow.png', width: 390, height: 844 },
  { file: 'docs/pictures/count-screen.png', width: 1280, height: 800 },
]
/** Installers load them before they ask: a picture is at most this large. */
const mostBytes = 300_000
const password = 'lorgnette-demo'
/** One scan in this many milliseconds, by two people together. */
const scanEveryMs = 1700

async function freePort() {
  const probe = net.createServer()
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function startServer(dataFolder) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = spawn(process.execPath, ['build/server/main.js'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), LORGNETTE_DATA: dataFolder, LORGNETTE_MODE: 'demo', DATABASE_URL: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const deadline = Date.now() + 120_000
  for (;;) {
    const health = await fetch(`${origin}/api/health`).catch(() => null)
    if (health?.ok) return { origin, stop: () => server.kill() }
    if (server.exitCode !== null || Date.now() > deadline) throw new Error('The server did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** A tablet without a screen: signs in, and sends what its person did. */
async function openDesk(origin, username) {
  const device = randomUUID()
  const call = async (route, body, token) => {
    const answer = await fetch(`${origin}${route}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${route}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const signingIn = await call('/api/auth/login', { username, password, recaptcha_token: 'development:login:pictures', device_id: device })
  const person = await signingIn.json()
  const sequences = new Map()
  let reports = 0

  return {
    /** Every row of a collection, as objects. */
    async rows(collection) {
      const answer = await call(`/api/sync/pull?collection=${collection}`, null, person.access_token)
      const lines = (await answer.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      const [{ columns }] = lines
      return lines.flatMap((line) => line.rows ?? []).map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
    },
    /** @param done `{ id, kind, body, at }`: what was done, and when, in ms */
    async send(done) {
      for (let first = 0; first < done.length; first += 400) {
        const commands = done.slice(first, first + 400).map(({ id, kind, body, at }) => {
          const lane = `count:${body.id_count_sheet}`
          sequences.set(lane, (sequences.get(lane) ?? 0) + 1)
          return {
            id,
            lane,
            lane_seq: sequences.get(lane),
            kind,
            version: 1,
            body,
            store_id: person.store_id,
            author: { id_user: person.id_user, name: `${person.first_name} ${person.last_name}` },
            // Brought by its author's own session, which needs no other proof and lets it have been done earlier.
            capture_token: null,
            device_id: device,
            captured: { wall: new Date(at).toISOString(), time_zone: 'America/New_York', server_offset_ms: 0, monotonic_ms: at % 1e9 },
          }
        })
        const batch = {
          device_id: device,
          device_name: 'Tablet',
          protocol: 1,
          commands,
          report: (reports += 1),
          holds: [],
          open_sheets: [],
        }
        const { receipts } = await (await call('/api/sync/push', batch, person.access_token)).json()
        const refused = receipts.find((receipt) => receipt.outcome === 'refused')
        if (refused) throw new Error(`A command was refused: ${JSON.stringify(refused)}`)
      }
    },
  }
}

/** Counts about two fifths of Downtown, and returns the sheet and the labels that are scanned before the camera. */
async function countDowntown(origin) {
  const [maya, ben] = await Promise.all([openDesk(origin, 'maya'), openDesk(origin, 'ben')])
  const frames = await maya.rows('frames')
  const expected = frames
    .filter((frame) => frame.store_id === 1 && ['Ready for Sale', 'Defective'].includes(frame.status))
    .toSorted((a, b) => a.brand_name.localeCompare(b.brand_name) || a.id_inventory - b.id_inventory)
  const elsewhere = frames.filter((frame) => frame.store_id === 2 && frame.status === 'Ready for Sale')
  const sold = frames.filter((frame) => frame.store_id === 1 && frame.status === 'Sold')
  // People walk board by board: some brands are done, some are begun, the rest is still to find.
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
  await page.getByLabel('Password', { exact: true }).first().fill(password)
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
