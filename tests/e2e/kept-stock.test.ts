import { beforeAll, expect, test } from 'vitest'
import { officeOf } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { readyForOffline, stockOf } from '#tests/e2e/count-room.ts'
import { expectAccessible } from '#tests/e2e/accessibility.ts'
import { scan } from '#tests/e2e/wedge-scanner.ts'

const t = e2eTablet({ as: 'ben' })

beforeAll(async () => {
  const { expected } = await stockOf(await officeOf(t.server))
  // The tablet looks a label up in its own list of frames.
  await readyForOffline(t.page, t.server.origin, expected.length)
})

const lines = () => t.page.getByRole('list', { name: 'Frames on this transfer' }).getByRole('listitem')

test('a user opens a known delivery without a connection and receives it; the work waits, also after the page closes', async () => {
  await t.page.goto(`${t.server.origin}/transfer?tab=to-receive`)
  await t.page.getByRole('row').nth(1).click()
  await lines().first().waitFor()
  const address = t.page.url()
  const first = lines().filter({ hasText: 'In transit' }).first()
  const tag = (await first.getByText(/^[A-Z]+-\d+$/).innerText()).trim()

  await t.tablet.context.setOffline(true)
  await t.page.goto(`${t.server.origin}/transfer?tab=to-receive`)
  await t.page.getByText(/^You’re offline. This is as of/).waitFor()
  await expectAccessible(t.page)
  await t.page.getByRole('row').nth(1).click()
  expect(t.page.url()).toBe(address)
  await t.page.getByText(/^You’re offline. This is as of/).waitFor()
  await scan(t.page, tag)
  await t.page.getByText(/received on this tablet/).waitFor()
  await t.page.reload()
  const kept = lines().filter({ hasText: tag })
  await kept.getByText('Received, waiting to send').waitFor()

  await t.tablet.context.setOffline(false)
  await kept.getByText('Received', { exact: true }).waitFor({ timeout: 60_000 })
  await t.page
    .getByText(/^You’re offline/)
    .first()
    .waitFor({ state: 'detached' })
})
