import fs from 'node:fs'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CountSheet } from '#contract/counts/count-sheets.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { pageOf, signIn, until, type PulledFrame, type PulledScan } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { feelNetwork, keptOn, startsWithoutServer, toastSays } from '#tests/e2e/screen.ts'
import { openTablet } from '#tests/support/browser.ts'

const t = e2eTablet()
let skus: string[]

beforeAll(async () => {
  const frames = await t.office.rows<PulledFrame>('frames')
  skus = frames.filter(({ store_id, status }) => store_id === 1 && status === 'Ready for Sale').map(({ sku }) => sku)
})

const chip = () => t.page.getByRole('link', { name: /Open the Sync center$/ })
const tab = (name: string | RegExp) => t.page.getByRole('tab', { name })
const outbox = () => keptOn<OutboxCommand>(t.page, 'outbox')

async function newSheet(): Promise<CountSheet> {
  const made = await t.office.send<CountSheet>('POST', '/api/inventory/count_sheets', {})
  expect(made.status).toBe(200)
  return made.body
}

async function scansOf(sheet: CountSheet): Promise<PulledScan[]> {
  return (await t.office.rows<PulledScan>('count_scans')).filter((scan) => scan.id_count_sheet === sheet.id_count_sheet)
}

async function openSheet(sheet: CountSheet, on: Page = t.page) {
  await on.goto(`${t.server.origin}/inventory/count-sheets/${sheet.id_count_sheet}`)
  await on.getByRole('heading', { name: `Count #${sheet.number}` }).waitFor()
  // The tablet has the frames: the tab shows their number.
  await on.getByRole('tab', { name: /^To find \([1-9]/ }).waitFor()
}

/** Types a code into the field and waits until the tablet has saved it. */
async function count(code: string, on: Page = t.page) {
  const before = (await keptOn<OutboxCommand>(on, 'outbox')).length + (await keptOn<OutboxCommand>(on, 'settled')).length
  await on.getByLabel('Last 4 of the tag').fill(code)
  await on.getByRole('button', { name: 'Count', exact: true }).click()
  const all = async () => (await keptOn<OutboxCommand>(on, 'outbox')).length + (await keptOn<OutboxCommand>(on, 'settled')).length
  await until(all, (now) => now > before, `${code} is saved on the tablet`)
}

async function loseServer() {
  await startsWithoutServer(t.page)
  await t.server.stop()
  await feelNetwork(t.page)
  await chip().filter({ hasText: 'Offline' }).waitFor()
}

async function openCenter() {
  await chip().click()
  await t.page.getByRole('heading', { name: 'Sync center' }).waitFor()
}

describe('waiting work', () => {
  test('is listed by person and lane, oldest first, and everything gets a receipt once it is sent', async () => {
    const sheet = await newSheet()
    await signIn(t.page, t.server, 'ben')
    await openSheet(sheet)
    await loseServer()
    for (const sku of skus.slice(0, 3)) await count(sku)
    await chip().filter({ hasText: 'Offline, 3 to send' }).waitFor()

    await openCenter()
    await tab('Waiting (3)').waitFor()
    const list = t.page.getByRole('list', { name: 'Waiting to send' }).or(t.page.getByLabel('Waiting to send')).first()
    const text = await list.innerText()
    const order = ['Ben Halvorsen', `Count #${sheet.number}`, ...skus.slice(0, 3)].map((part) => text.indexOf(part))
    expect(order.every((place) => place >= 0)).toBe(true)
    expect(order).toEqual([...order].sort((a, b) => a - b))

    await t.page.getByRole('button', { name: 'Send now' }).click()
    await toastSays(t.page, 'Can’t reach the server', 'Everything is saved here and will be sent automatically.')

    await t.server.start()
    await t.page.getByRole('button', { name: 'Send now' }).click()
    await until(outbox, (left) => left.length === 0, 'Everything has left')
    await t.page.getByText('All caught up').waitFor()
    expect((await scansOf(sheet)).map(({ raw_code }) => raw_code).sort()).toEqual(skus.slice(0, 3).sort())

    await tab('Receipts').click()
    const receipts = t.page.getByLabel('Receipts', { exact: true })
    await receipts
      .getByText(/^Received #\d+$/)
      .nth(2)
      .waitFor()
    const number = /\d+/.exec(
      (await receipts
        .getByText(/^Received #\d+$/)
        .first()
        .textContent()) ?? '',
    )?.[0]
    await t.page.getByLabel('Search the receipts of the last 30 days').fill(`#${number}`)
    await until(
      () => receipts.getByText(/^Received #/).allTextContents(),
      (found) => found.includes(`Received #${number}`),
      'The receipt is found by its number',
    )
    await t.page.getByLabel('Search the receipts of the last 30 days').fill('nothing like it')
    await t.page.getByText('No matching receipts').waitFor()
  })
})

describe('work that the server refuses', () => {
  let sheet: CountSheet
  beforeEach(async () => {
    sheet = await newSheet()
    await signIn(t.page, t.server, 'ben')
    await openSheet(sheet)
    await loseServer()
    await count(skus[10] ?? '')
    await count(skus[11] ?? '')
    // The server is back, but the tablet must not reach it before the sheet is gone.
    await t.tablet.context.setOffline(true)
    await t.server.start()
  })
  afterEach(() => t.tablet.context.setOffline(false))

  test('keeps the reason in plain words; a retry repeats it, and a discard sends a reason to the server', async () => {
    // The manager deletes the sheet meanwhile.
    const deleted = await t.office.send('DELETE', '/api/inventory/count_sheets', { id_count_sheet: sheet.id_count_sheet })
    expect(deleted.status).toBe(200)
    await t.tablet.context.setOffline(false)
    await feelNetwork(t.page)
    await chip().filter({ hasText: '2 need attention' }).waitFor()
    await openCenter()
    const item = t.page.getByRole('article').filter({ hasText: skus[10] ?? '' })
    await item.getByText('The count sheet no longer exists.').waitFor()

    const [answer] = await Promise.all([
      t.page.waitForResponse((response) => response.url().endsWith('/api/sync/push')),
      item.getByRole('button', { name: 'Retry' }).click(),
    ])
    expect(answer.status()).toBe(200)
    await until(outbox, (all) => all.every(({ state }) => state === 'needs-attention'), 'It was tried again, in vain')
    await item.getByText('The count sheet no longer exists.').waitFor()
    expect(await outbox()).toHaveLength(2)

    await item.getByRole('button', { name: 'Discard…' }).click()
    const dialog = t.page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Discard', exact: true }).click()
    await dialog.getByText('This field is required').waitFor()
    await dialog.getByLabel('Reason').fill('The sheet was a mistake')
    await dialog.getByRole('button', { name: 'Discard', exact: true }).click()
    await toastSays(t.page, 'Discarded')
    await item.waitFor({ state: 'detached' })
    await until(outbox, (all) => all.length === 1, 'The discard has left as well')

    await tab('Receipts').click()
    await t.page.getByLabel('Receipts', { exact: true }).getByText('Discarded').first().waitFor()
    await tab(/Needs attention/).click()
    await t.page.getByRole('article').getByRole('button', { name: 'Discard…' }).click()
    await dialog.getByLabel('Reason').fill('This one too')
    await dialog.getByRole('button', { name: 'Discard', exact: true }).click()
    await t.page.getByText('Nothing needs attention').waitFor()
    await chip().filter({ hasText: 'Online' }).waitFor()
  })
})

describe('the file of unsent work', () => {
  test('moves it to another tablet, which sends it under its author’s name; two sends count once', async () => {
    const sheet = await newSheet()
    await signIn(t.page, t.server, 'ben')
    await openSheet(sheet)
    await loseServer()
    const codes = skus.slice(20, 24)
    for (const code of codes) await count(code)
    await openCenter()
    await tab('This device').click()
    await t.page.getByText(/used of|used\./).waitFor()
    const [download] = await Promise.all([
      t.page.waitForEvent('download'),
      t.page.getByRole('button', { name: 'Save unsent work' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^lorgnette-unsent-.+\.json$/)
    const file = `${t.tablet.profile}-unsent.json`
    await download.saveAs(file)
    await t.page.getByText('The work also stays on this device until it is sent.').waitFor()
    expect(await outbox()).toHaveLength(4)

    await t.server.start()
    const other = await openTablet()
    try {
      const there = await pageOf(other)
      await signIn(there, t.server, 'ana')
      await there.getByRole('link', { name: /Open the Sync center$/ }).click()
      await there.getByRole('tab', { name: 'This device' }).click()
      const readIn = (name: string) => there.getByLabel('Unsent work file').setInputFiles(name)

      const damaged = `${t.tablet.profile}-damaged.json`
      fs.writeFileSync(damaged, fs.readFileSync(file, 'utf8').replace(codes[0] ?? '', 'OTHER-1'))
      await readIn(damaged)
      await there.getByText('The file was changed or damaged').waitFor()
      fs.rmSync(damaged)

      await readIn(file)
      await there.getByText('4 items added').waitFor()
      await until(
        () => keptOn<OutboxCommand>(there, 'outbox'),
        (left) => left.length === 0,
        'The other tablet has sent it',
      )
      await readIn(file)
      await there.getByText('Nothing new in this file').waitFor()

      // Now the first tablet finds its network again and sends the same commands.
      await feelNetwork(t.page)
      await until(outbox, (left) => left.length === 0, 'The first tablet has sent it as well')
      const scans = await scansOf(sheet)
      expect(scans.map(({ raw_code }) => raw_code).sort()).toEqual([...codes].sort())
      expect(new Set(scans.map(({ author_name }) => author_name))).toEqual(new Set(['Ben Halvorsen']))
    } finally {
      await other.close()
      fs.rmSync(file, { force: true })
    }
  })
})

test('a user can name the device, and sees how much it keeps and whether the browser keeps it', async () => {
  await signIn(t.page, t.server, 'maya')
  await t.page.goto(`${t.server.origin}/sync`)
  await tab('This device').click()
  await t.page.getByLabel('Name of this device').fill('Stockroom tablet 2')
  await t.page.getByRole('button', { name: 'Save name' }).click()
  await toastSays(t.page, 'Name saved')
  await t.page.reload()
  await tab('This device').click()
  await until(
    () => t.page.getByLabel('Name of this device').inputValue(),
    (name) => name === 'Stockroom tablet 2',
    'The name is kept',
  )
  await t.page.getByText(/The browser (will keep|may clear) the data stored here/).waitFor()
})
