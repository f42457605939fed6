import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Expects that the list scrolls inside its own box and draws only the visible rows. Otherwise a large chain would draw
 * a hundred thousand.
 */
export async function expectScrollsInItself(page: Page): Promise<void> {
  const grid = page.getByRole('grid')
  // After a sign-in, a tablet shows the server's first page until its own mirror is complete.
  const rows = async () => Number(await grid.getAttribute('aria-rowcount'))
  await expect.poll(rows, { timeout: 30_000 }).toBeGreaterThan(100)
  const total = await rows()
  await expect.poll(() => grid.evaluate((list) => list.scrollHeight > 4 * list.clientHeight)).toBe(true)
  expect((await grid.boundingBox())?.height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
  expect(await grid.getByRole('row').count()).toBeLessThan(60)
  const before = await grid.getByRole('row').nth(1).innerText()
  await grid.evaluate((list) => list.scrollTo({ top: list.scrollHeight }))
  await expect.poll(() => grid.locator(`[aria-rowindex="${total}"]`).count()).toBe(1)
  expect(await grid.getByRole('row').nth(1).innerText()).not.toBe(before)
  expect(await grid.getByRole('row').count()).toBeLessThan(60)
  await grid.evaluate((list) => list.scrollTo({ top: 0 }))
  await expect.poll(() => grid.locator('[aria-rowindex="2"]').count()).toBe(1)
}
