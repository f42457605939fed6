import { beforeAll, expect, test } from 'vitest'
import type { FrameRecord } from '#contract/stock/frames.ts'
import { type PulledFrame } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { everythingSent, fullNames, readyForOffline, stockOf } from '#tests/e2e/count-room.ts'
import { expectAccessible } from '#tests/e2e/accessibility.ts'
import { scan, scanAll } from '#tests/e2e/wedge-scanner.ts'

const t = e2eTablet({ as: 'ben' })
let pieces: PulledFrame[]

beforeAll(async () => {
  const { expected } = await stockOf(t.office)
  // The first frames for sale are already on a draft of the demo clinic.
  pieces = expected.filter(({ status }) => status === 'Ready for Sale').slice(30, 33)
  await readyForOffline(t.page, t.server.origin, expected.length)
})

const lines = () => t.page.getByRole('list', { name: 'Frames on this transfer' }).getByRole('listitem')
const press = (name: string) => t.page.getByRole('button', { name, exact: true }).click()

test('a user fills and sends a box offline, and it is in transit when the tablet is back', async () => {
  const [first, second, off] = pieces
  if (!first || !second || !off) throw new Error('Downtown has too few frames for sale')
  await t.page.goto(`${t.server.origin}/transfer`)
  await t.page.getByRole('grid', { name: 'Transfers' }).waitFor()
  await t.tablet.context.setOffline(true)
  await t.page.reload()
  await press('New transfer')
  const dialog = t.page.getByRole('dialog')
  await dialog.getByText(/saved on this tablet and will be sent when you’re back online/).waitFor()
  await expectAccessible(t.page)
  await dialog.getByLabel('To').selectOption({ label: 'Eastside Eye Care' })
  await press('Start')
  await t.page.getByRole('heading', { level: 1, name: /New transfer/ }).waitFor()
  const address = t.page.url()
  await scanAll(t.page, [first.sku, off.sku, second.sku])
  await expect.poll(() => lines().count()).toBe(3)
  await t.page.getByRole('button', { name: `Remove ${off.sku}` }).click()
  await expect.poll(() => lines().count()).toBe(2)
  await t.page.goto(`${t.server.origin}/transfer`)
  await t.page.getByRole('button', { name: /New transfer to Eastside/ }).click()
  expect(t.page.url()).toBe(address)
  await expect.poll(() => lines().count()).toBe(2)
  await scan(t.page, first.sku)
  await t.page.getByText(/is already on this transfer\./).waitFor()
  await expectAccessible(t.page)
  await press('Send')
  await t.page.getByRole('alertdialog').getByRole('button', { name: 'Send', exact: true }).click()
  await t.page.getByRole('heading', { level: 1 }).getByText('Waiting to send').waitFor()
  const record = ({ sku }: PulledFrame) => t.office.get<FrameRecord>(`/api/inventory/lookup?sku=${sku}`)
  expect(await record(first)).toMatchObject({ status: 'Ready for Sale' })

  await t.tablet.context.setOffline(false)
  await everythingSent(t.page)
  await t.page.getByText(`0 of 2 received · sent by ${fullNames.ben}`, { exact: false }).waitFor()
  await t.page.getByRole('heading', { level: 1, name: /Transfer #\d+/ }).waitFor()
  for (const piece of [first, second]) expect(await record(piece)).toMatchObject({ status: 'ICT', store_id: 2 })
  expect(await record(off)).toMatchObject({ status: 'Ready for Sale', store_id: 1 })
})
