import * as v from 'valibot'
import type { HotDatabase } from '#src/db/hot.ts'
import type { Environment } from '#src/sync/environment.ts'

export type DeviceFacts = {
  id: () => string
  name: () => Promise<string>
  rename: (name: string) => Promise<void>
  /** Whether the browser deleted the database since the last start. */
  wasWiped: () => boolean
}

const key = 'device'
const canaryKey = 'lorgnette-device'
const stored = v.object({ id: v.string(), name: v.string() })

/** Who this device is. Local storage keeps the id as well: a database that is new while that is there was deleted. */
export async function readDeviceFacts(environment: Environment, hot: HotDatabase): Promise<DeviceFacts> {
  const canary = environment.localStorage?.getItem(canaryKey) ?? null
  const device = await hot.transaction('rw', hot.facts, async () => {
    const found = v.safeParse(stored, (await hot.facts.get(key))?.value)
    if (found.success) return found.output
    // A new identity after a loss: the old one's positions are gone, and would be given twice.
    const id = environment.newId()
    const made = { id, name: `Tablet ${id.slice(-4).toUpperCase()}` }
    await hot.facts.put({ key, value: made })
    return made
  })
  // The worker may have been first to make the new database; it cannot see local storage.
  const wiped = canary !== null && canary !== device.id
  environment.localStorage?.setItem(canaryKey, device.id)
  return {
    id: () => device.id,
    name: async () => {
      const now = v.safeParse(stored, (await hot.facts.get(key))?.value)
      return now.success ? now.output.name : device.name
    },
    async rename(name) {
      await hot.facts.put({ key, value: { id: device.id, name: name.trim().slice(0, 120) || device.name } })
    },
    wasWiped: () => wiped,
  }
}
