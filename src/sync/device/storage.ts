import { createStore } from 'zustand/vanilla'
import type { Device, StorageState } from '#src/sync/device/device.ts'

/**
 * The browser's figures for storage, and the request to keep it. Some browsers answer late or never, so nobody waits.
 */
export function createStorage(manager: StorageManager | null): Device['storage'] {
  const state = createStore<StorageState>(() => ({ persistent: null, usedBytes: null, roomBytes: null }))
  let asked = false

  async function measure() {
    if (!manager) return
    const [persistent, estimate] = await Promise.all([manager.persisted(), manager.estimate()])
    state.setState({ persistent, usedBytes: estimate.usage ?? null, roomBytes: estimate.quota ?? null })
  }

  return {
    state,
    measure,
    async askToKeep() {
      if (asked || !manager) return
      asked = true
      state.setState({ persistent: await manager.persist() })
    },
  }
}
