import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FrameRecord } from '#contract/stock/frames.ts'
import { officeOf, openClinic, pageOf, signIn, type Office, type PulledFrame } from '#tests/e2e/clinic.ts'
import { fullNames, readyForOffline, stockOf } from '#tests/e2e/count-room.ts'
import { scan, scanAll } from '#tests/e2e/wedge-scanner.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let office: Office
const tablets: Tablet[] = []
/** Ben's tablet is in Downtown, Ana's is in Eastside. */
let ben: Page
let ana: Page
let pieces: PulledFrame[]

beforeAll(async () => {
  server = await openClinic()
  office = await officeOf(server)
  const { expected } = await stockOf(office)
  // The first frames for sale are already on a draft of the demo clinic.
  pieces = expected.filter(({ status }) => status === 'Ready for Sale').slice(20, 24)
  async function seat(person: 'ben' | 'ana'): Promise<Page> {
    const tablet = await openTablet({ reducedMotion: 'reduce' })
    tablets.push(tablet)
    const page = await pageOf(tablet)
    await signIn(page, server, person)
    // The tablet looks a label up in its own list of frames.
    await readyForOffline(page, server.origin, expected.length)
    return page
  }
  ben = await seat('ben')
  ana = await seat('ana')
  await ana.getByRole('button', { name: 'Set Store' }).click()
  const stores = ana.getByRole('dialog', { name: 'Change Store' })
  await stores.getByRole('button', { name: /Eastside Eye Care/ }).click()
  await stores.waitFor({ state: 'detached' })
})
afterAll(async () => {
  await Promise.all(tablets.map((tablet) => tablet.close()))
  await server?.remove()
})

const lines = (page: Page) => page.getByRole('list', { name: 'Frames on this transfer' }).getByRole('listitem')
const lineOf = (page: Page, { sku }: PulledFrame) => lines(page).filter({ hasText: sku })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const recordOf = ({ sku }: PulledFrame) => office.get<FrameRecord>(`/api/inventory/lookup?sku=${sku}`)

test('Ben sends three frames, Ana receives one and closes short, and both stores see it', async () => {
  const [first, second, third, stranger] = pieces
  if (!first || !second || !third || !stranger) throw new Error('Downtown has too few frames for sale')
  await ben.goto(`${server.origin}/transfer`)
  await press(ben, 'New transfer')
  await press(ben, 'Start')
  await ben.getByRole('dialog').getByRole('alert').getByText('This field is required').waitFor()
  await ben.getByRole('dialog').getByLabel('To').selectOption({ label: 'Eastside Eye Care' })
  await press(ben, 'Start')
  await ben.getByText('No frames yet').waitFor()
  await scanAll(ben, [first.sku, second.sku, third.sku])
  await expect.poll(() => lines(ben).count()).toBe(3)
  await scan(ben, first.sku)
  await ben.getByText(/is already on this transfer\./).waitFor()
  await expect.poll(() => lines(ben).count()).toBe(3)

  await press(ben, 'Send')
  const question = ben.getByRole('alertdialog', { name: 'Send 3 frames to Eastside Eye Care?' })
  await question.getByRole('button', { name: 'Send', exact: true }).click()
  await ben.getByText(`0 of 3 received · sent by ${fullNames.ben}`, { exact: false }).waitFor()
  const title = /Transfer (#\d+)/.exec(await ben.getByRole('heading', { level: 1 }).innerText())
  if (!title) throw new Error('The transfer has no number')
  const [name, number] = title
  expect(await recordOf(first)).toMatchObject({ status: 'ICT' })

  await ana.goto(`${server.origin}/transfer?tab=to-receive`)
  await ana
    .getByRole('row')
    .filter({ hasText: `${number} · from Downtown` })
    .click()
  await ana.getByRole('heading', { name }).waitFor()
  await scan(ana, stranger.sku)
  await ana.getByText(/isn’t on this transfer\. Nothing changed/).waitFor()
  await scan(ana, second.sku)
  await lineOf(ana, second).getByText('Received', { exact: true }).waitFor()
  await ana.getByText('1 of 3 received', { exact: false }).waitFor()
  await expect.poll(() => lineOf(ana, second).innerText()).toContain(fullNames.ana)

  await press(ana, 'Close short')
  const closing = ana.getByRole('alertdialog', { name: 'Close without 2 pieces?' })
  await closing.getByRole('button', { name: 'Close transfer' }).click()
  await closing.getByRole('alert').getByText('This field is required').waitFor()
  await closing.getByLabel('What happened').fill('The box came open')
  await closing.getByRole('button', { name: 'Close transfer' }).click()
  await closing.waitFor({ state: 'detached' })

  // Ben, who sent it, sees the same when he looks again.
  await ben.goto(`${server.origin}/transfer?tab=done`)
  await ben
    .getByRole('row')
    .filter({ hasText: `${number} · ` })
    .click()
  for (const page of [ana, ben]) {
    await page.getByText('The box came open').waitFor()
    await page.getByRole('heading', { name }).getByText('Closed short').waitFor()
    await lineOf(page, second).getByText('Received', { exact: true }).waitFor()
    for (const lost of [first, third]) await lineOf(page, lost).getByText('Marked missing', { exact: true }).waitFor()
  }
  expect(await recordOf(second)).toMatchObject({ status: 'Ready for Sale', store_id: 2 })
  for (const lost of [first, third]) expect(await recordOf(lost)).toMatchObject({ status: 'Missing' })
})
