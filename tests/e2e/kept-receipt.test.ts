import { beforeAll, expect, test } from 'vitest'
import { officeOf, until } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { readyForOffline, stockOf } from '#tests/e2e/count-room.ts'
import { expectAccessible } from '#tests/e2e/accessibility.ts'
import { keptOn } from '#tests/e2e/screen.ts'
import { scan } from '#tests/e2e/wedge-scanner.ts'

const t = e2eTablet({ as: 'ben' })

beforeAll(async () => {
  const { expected } = await stockOf(await officeOf(t.server))
  await readyForOffline(t.page, t.server.origin, expected.length)
})

test('pieces that were received online survive a reload without a connection, and waiting scans add to them', async () => {
  await t.page.goto(`${t.server.origin}/receipts`)
  await t.page.getByRole('row').filter({ hasText: 'Draft' }).first().click()
  const total = t.page.getByRole('status').filter({ hasText: /received/ })
  await total.first().waitFor()
  const [, all] = /0 of (\d+) received/.exec(await total.first().innerText()) ?? []
  expect(all).toBeDefined()
  const line = t.page
    .getByRole('list', { name: 'Invoice lines' })
    .getByRole('listitem')
    .filter({ has: t.page.getByText(/^0 of [2-9]$/) })
    .first()
  const upc = /\b\d{12,14}\b/.exec(await line.innerText())![0]
  await scan(t.page, upc)
  await t.page.getByText(`1 of ${all} received`).waitFor()

  await t.tablet.context.setOffline(true)
  await t.page.reload()
  await t.page.getByText(`1 of ${all} received`).waitFor()
  await scan(t.page, upc)
  await t.page.getByText(`1 received + 1 waiting of ${all}`).waitFor()
  await expectAccessible(t.page)
  await t.page.reload()
  await t.page.getByText(`1 received + 1 waiting of ${all}`).waitFor()
  const paper = Number(/\bof (\d+)/.exec(await t.page.getByText(/1 \+ 1 waiting of/).innerText())![1])
  for (let more = 2; more < paper; more++) await scan(t.page, upc)
  await scan(t.page, upc)
  const stop = t.page.getByRole('alert', { name: 'Keep it or set it aside?' })
  await stop.getByText(`One more than the invoice: ${paper + 1} of ${paper}`).waitFor()
  await expectAccessible(t.page)
  await stop.getByRole('button', { name: 'Set aside' }).click()

  await t.tablet.context.setOffline(false)
  await t.page.getByText(`${paper} of ${all} received`).waitFor({ timeout: 60_000 })
})

test('a user receives a parcel without a connection, though the tablet never opened it before', async () => {
  await t.page.goto(`${t.server.origin}/transfer?tab=to-send`)
  // The tablet fetches parcels ahead, a moment after the page shows.
  const kept = async () => (await keptOn<{ key: string }>(t.page, 'facts')).map(({ key }) => key)
  // The list that is fetched last.
  await until(kept, (keys) => keys.some((key) => key.includes('return_invoices')), 'The parcels were not fetched ahead')
  await t.tablet.context.setOffline(true)
  await t.page.goto(`${t.server.origin}/transfer?tab=to-receive`)
  await t.page.getByRole('row').nth(1).click()
  const first = t.page
    .getByRole('list', { name: 'Frames on this transfer' })
    .getByRole('listitem')
    .filter({ hasText: 'In transit' })
    .first()
  const tag = (await first.getByText(/^[A-Z]+-\d+$/).innerText()).trim()
  await scan(t.page, tag)
  await t.page.getByText(/received on this tablet/).waitFor()
  await t.page.getByText(/received \+ 1 waiting of/).waitFor()
  await t.tablet.context.setOffline(false)
})
