import { expect, test } from 'vitest'
import { createStorage } from '#src/sync/device/storage.ts'

function browser(answer: boolean) {
  let asked = 0
  const manager: StorageManager = {
    persist: async () => {
      asked += 1
      return answer
    },
    persisted: async () => answer,
    estimate: async () => ({ usage: 1000, quota: 50_000 }),
    getDirectory: () => Promise.reject(new Error('not asked for')),
  }
  return { manager, asked: () => asked }
}

test.each([true, false])('the browser is asked once to keep the data for good, and its answer (%s) is shown', async (answer) => {
  const { manager, asked } = browser(answer)
  const storage = createStorage(manager)
  expect(storage.state.getState().persistent).toBeNull()
  await storage.askToKeep()
  await storage.askToKeep()
  expect(asked()).toBe(1)
  expect(storage.state.getState().persistent).toBe(answer)
})

test('the room on the device is measured', async () => {
  const storage = createStorage(browser(true).manager)
  await storage.measure()
  expect(storage.state.getState()).toEqual({ persistent: true, usedBytes: 1000, roomBytes: 50_000 })
})

test('a browser without storage management is not asked', async () => {
  const storage = createStorage(null)
  await storage.askToKeep()
  await storage.measure()
  expect(storage.state.getState()).toEqual({ persistent: null, usedBytes: null, roomBytes: null })
})
