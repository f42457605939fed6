import * as v from 'valibot'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { deviceFact as key, type FirstFacts, wipedFact as wipedKey } from '#src/sync/device/read-ahead.ts'

export type DeviceFacts = {
  id: () => string
  name: () => Promise<string>
  rename: (name: string) => Promise<void>
  /** Whether the browser deleted the database and no user has confirmed the notice yet. */
  wasWiped: () => boolean
  wipeWasRead: () => Promise<void>
}

const canaryKey = 'lorgnette-device'
const stored = v.object({ id: v.string(), name: v.string() })

/**
 * The identity of this device. Local storage also keeps the id: a new database beside an old id means that the old
 * database was deleted.
 * @param first the facts read before the database was open
 */
export async function readDeviceFacts(environment: Environment, hot: HotDatabase, first: FirstFacts | null = null): Promise<DeviceFacts> {
  const canary = environment.localStorage?.getItem(canaryKey) ?? null
  const read = (value: unknown) => {
    const found = v.safeParse(stored, value)
    return found.success ? found.output : null
  }
  const known = async () => read((await hot.facts.get(key))?.value)
  const identify = async () => {
    // Another tab may have been first.
    const found = await known()
    if (found) return found
    // A new identity after a loss: the old identity's positions are gone, and would be used twice.
    const id = environment.newId()
    const made = { id, name: `Tablet ${id.slice(-4).toUpperCase()}` }
    await hot.facts.put({ key, value: made })
    return made
  }
  const device = read(first?.device) ?? (await known()) ?? (await hot.transaction('rw', hot.facts, identify))
  // The worker may have made the new database first. It cannot see local storage.
  const isNews = canary !== null && canary !== device.id
  // Note the loss before storing the new identity. If the app ends before a user reads the notice, the next start shows
  // it.
  const isNoted = !isNews || (await hot.facts.put({ key: wipedKey, value: device.id }).then(isDone, isNotDone))
  if (isNoted) environment.localStorage?.setItem(canaryKey, device.id)
  const wiped = isNews || (first ? first.wiped : await hot.facts.get(wipedKey)) !== undefined
  return {
    id: () => device.id,
    name: async () => ((await known()) ?? device).name,
    async rename(name) {
      await hot.facts.put({ key, value: { id: device.id, name: name.trim().slice(0, 120) || device.name } })
    },
    wasWiped: () => wiped,
    wipeWasRead: () => hot.facts.delete(wipedKey),
  }
}

const isDone = () => true
/** On a full disk the next start finds the old identity again, and shows the notice again. */
const isNotDone = () => false
