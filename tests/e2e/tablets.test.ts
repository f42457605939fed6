import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { signIn, until } from '#tests/e2e/clinic.ts'
import {
  everythingSent,
  expectCounted,
  expectEachOnce,
  fullNames,
  openCountRoom,
  outboxOf,
  scansAt,
  startCount,
  type CountRoom,
} from '#tests/e2e/count-room.ts'
import { scanAll } from '#tests/e2e/wedge-scanner.ts'
import { parseOpenMetrics, valueOf } from '#tests/support/open-metrics.ts'

let room: CountRoom
let stockroom: Page
let office: Page

beforeAll(async () => {
  room = await openCountRoom()
  stockroom = (await room.seat('ben', room.line)).page
  office = (await room.seat('maya', room.server)).page
})
afterEach(() => room.mendLine())
afterAll(() => room?.close())

/** The row of the tablet that this person used last. */
const rowOf = (name: string) => office.getByRole('main').getByRole('listitem').filter({ hasText: name })
/** Refreshes the screen, as when a user returns to it. */
async function look() {
  await office.evaluate(() => window.dispatchEvent(new Event('focus')))
}
async function untilRowSays(name: string, words: string | RegExp) {
  await until(
    async () => {
      await look()
      return await rowOf(name).innerText()
    },
    (text) => (typeof words === 'string' ? text.includes(words) : words.test(text)),
    `The row never said ${String(words)}`,
  )
}

describe('The tablets of a store, on a manager’s screen', () => {
  test('both show, with their users and app versions', async () => {
    await office.goto(`${room.server.origin}/settings/inventory`)
    await office.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Tablets' }).click()
    await office.getByRole('heading', { level: 1, name: 'Tablets' }).waitFor()
    await untilRowSays(fullNames.ben, /Signed in[\s\S]*seen just now[\s\S]*Nothing unsent[\s\S]*Version 0\.1\.0/)
    await untilRowSays(fullNames.maya, 'This tablet')
  })

  test('a revoked tablet keeps its count and work; after the next sign-in a manager applies it, and it counts once', async () => {
    const id = await startCount(stockroom, room.line.origin)
    await everythingSent(stockroom)
    room.line.meet = (call) => (call.commands.length > 0 ? 'lose-request' : 'pass')
    await scanAll(stockroom, room.labels(0, 7))
    await expectCounted(stockroom, 7)

    // A tablet reports an open sheet every few seconds, with its unsent work.
    await untilRowSays(fullNames.ben, /7 unsent, oldest \d+ seconds?/)
    const metrics = parseOpenMetrics(await (await fetch(`${room.server.origin}/metrics`)).text())
    expect(valueOf(metrics, 'lorgnette_unsent_commands')).toBe(7)
    expect(valueOf(metrics, 'lorgnette_oldest_unsent_age_seconds')).toBeGreaterThan(0)
    expect(valueOf(metrics, 'process_resident_memory_bytes')).toBeGreaterThan(0)

    await rowOf(fullNames.ben)
      .getByRole('button', { name: /^Revoke/ })
      .click()
    const dialog = office.getByRole('alertdialog')
    await expect.poll(() => dialog.innerText()).toContain('7 unsent items stay on it')
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
    await untilRowSays(fullNames.ben, 'Revoked')

    await stockroom.getByText('Sign in to send — scans are still being saved.').waitFor()
    expect(new URL(stockroom.url()).pathname).toContain(id)
    expect(await outboxOf(stockroom)).toHaveLength(7)
    expect(await scansAt(room.office, id)).toEqual([])
    // The manager's own tablet stays signed in.
    expect(new URL(office.url()).pathname).toBe('/settings/tablets')

    room.line.meet = () => 'pass'
    await signIn(stockroom, room.line, 'ana')
    await until(
      () => outboxOf(stockroom),
      (waiting) => waiting.length === 7 && waiting.every(({ last_error }) => last_error?.code === 'work-held'),
      'The work of the revoked tablet was not held',
    )
    expect(await scansAt(room.office, id)).toEqual([])

    await office.reload()
    await office.getByRole('button', { name: 'Apply 7 items from Ben Halvorsen' }).click()
    const deciding = office.getByRole('alertdialog', { name: 'Apply 7 items from “Ben Halvorsen”?' })
    await deciding.getByLabel('Reason').fill('Ben counted them before the tablet was revoked')
    await deciding.getByRole('button', { name: 'Apply', exact: true }).click()
    await deciding.waitFor({ state: 'detached' })
    await expectEachOnce(room.office, id, room.labels(0, 7), fullNames.ben)

    // The tablet asks every few minutes. Its user can ask at once.
    await stockroom.goto(`${room.line.origin}/sync`)
    await stockroom.getByRole('tab', { name: /^Needs attention/ }).click()
    for (let left = 7; left > 0; left = (await outboxOf(stockroom)).length) {
      await stockroom.getByRole('button', { name: 'Retry' }).first().click()
      await until(
        async () => (await outboxOf(stockroom)).length,
        (waiting) => waiting < left,
        'Applied work stayed on the tablet',
      )
    }
    await everythingSent(stockroom)
    await expectEachOnce(room.office, id, room.labels(0, 7), fullNames.ben)
    await untilRowSays(fullNames.ana, /Signed in[\s\S]*Nothing unsent/)
  })

  test('are closed to everyone but managers', async () => {
    await stockroom.goto(`${room.line.origin}/settings/tablets`)
    await stockroom.getByText('Managers only').waitFor()
    expect(await stockroom.getByRole('link', { name: 'Tablets' }).count()).toBe(0)
  })
})
