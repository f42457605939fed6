import { expect, test } from 'vitest'
import { createOpenSheets } from '#src/sync/device/open-sheets.ts'
import { FakeLocks } from '#tests/support/fake-locks.ts'

const sheet = '0199f0a0-0000-7000-8000-000000000001'
const other = '0199f0a0-0000-7000-8000-000000000002'

function windowOf(locks: LockManager | null) {
  return createOpenSheets({
    locks,
    report: (error) => {
      throw error
    },
  })
}

test('every window of a tablet knows the open counts of all its windows, until they are left', async () => {
  const locks = new FakeLocks()
  const [counting, reading] = [windowOf(locks), windowOf(locks)]
  expect(await reading.all()).toEqual([])
  const leaves = [counting.open(sheet), reading.open(other)]
  expect((await counting.all()).toSorted()).toEqual([sheet, other])
  expect((await reading.all()).toSorted()).toEqual([sheet, other])
  leaves[0]!()
  await expect.poll(() => reading.all()).toEqual([other])
  leaves[1]!()
  await expect.poll(() => reading.all()).toEqual([])
})

test('two windows count on the same sheet at once, and the last one to leave closes it', async () => {
  const locks = new FakeLocks()
  const [one, two, reading] = [windowOf(locks), windowOf(locks), windowOf(locks)]
  const leaves = [one.open(sheet), two.open(sheet)]
  await expect.poll(async () => (await locks.query()).held?.length).toBe(2)
  leaves[0]!()
  leaves[0]!()
  await expect.poll(async () => (await locks.query()).held?.length).toBe(1)
  expect(await reading.all()).toEqual([sheet])
  leaves[1]!()
  await expect.poll(() => reading.all()).toEqual([])
})

test('a browser without Web Locks knows the counts of its own window', async () => {
  const [counting, reading] = [windowOf(null), windowOf(null)]
  const leave = counting.open(sheet)
  expect([await counting.all(), await reading.all()]).toEqual([[sheet], []])
  leave()
  expect(await counting.all()).toEqual([])
})
