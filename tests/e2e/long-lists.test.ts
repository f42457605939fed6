import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openClinic, pageOf, signIn } from '#tests/e2e/clinic.ts'
import { tellWhatShowed } from '#tests/e2e/screen.ts'
import { openTablet, phoneView, tabletView, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let tablet: Tablet
let page: Page

beforeAll(async () => {
  server = await openClinic()
  tablet = await openTablet({ reducedMotion: 'reduce' })
  page = await pageOf(tablet)
  await signIn(page, server, 'maya')
})
afterAll(async () => {
  await tablet?.close()
  await server?.remove()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await tellWhatShowed(page)
})

describe.each([
  ['a tablet', tabletView],
  ['a phone', phoneView],
])('on %s', (_, view) => {
  beforeAll(() => page.setViewportSize(view))

  // Without a height of its own such a list draws every row there is, which is a hundred thousand in a large chain.
  test.each(['/inventory', '/inventory/models'])('the list of %s scrolls in itself and draws what is in view', async (address) => {
    await page.goto(`${server.origin}${address}`)
    const grid = page.getByRole('grid')
    await grid.getByRole('row').nth(5).waitFor()
    // A tablet that has just been signed in shows the server's first page until its own mirror is complete.
    const rows = async () => Number(await grid.getAttribute('aria-rowcount'))
    await expect.poll(rows, { timeout: 30_000 }).toBeGreaterThan(100)
    const total = await rows()
    await expect.poll(() => grid.evaluate((list) => list.scrollHeight > 4 * list.clientHeight)).toBe(true)
    expect((await grid.boundingBox())?.height).toBeLessThanOrEqual(view.height)
    expect(await grid.getByRole('row').count()).toBeLessThan(60)
    const before = await grid.getByRole('row').nth(1).innerText()
    await grid.evaluate((list) => list.scrollTo({ top: list.scrollHeight }))
    await expect.poll(() => grid.locator(`[aria-rowindex="${total}"]`).count()).toBe(1)
    expect(await grid.getByRole('row').nth(1).innerText()).not.toBe(before)
    expect(await grid.getByRole('row').count()).toBeLessThan(60)
  })
})
