import { patientsKeyFact } from '#src/sync/patients/patients-key.ts'
import type { SimulatedDevice } from './device.ts'

/**
 * Everything that must never be on a device in the clear: the texts of patients' records, their keys, passwords and
 * PINs. The search does not know how the app stores data. It reads every record of every database, to the last byte.
 */
export class Secrets {
  readonly #words: Set<string>
  #pattern: RegExp | null = null

  constructor(words: Iterable<string> = []) {
    this.#words = new Set(words)
  }

  copy(): Secrets {
    return new Secrets(this.#words)
  }

  add(word: string): void {
    if (this.#words.has(word.toLowerCase())) return
    this.#words.add(word.toLowerCase())
    this.#pattern = null
  }

  /** Adds a key in two forms: the server's text, and its bytes. */
  addKey(key: string): void {
    this.add(key)
    this.add(Buffer.from(key, 'base64url').toString('latin1'))
  }

  /** Returns the first secret in a text, or null. */
  firstIn(text: string): string | null {
    this.#pattern ??= new RegExp([...this.#words].map((word) => word.replaceAll(/[^a-z0-9]/g, (sign) => `\\u${hexOf(sign)}`)).join('|'))
    return this.#words.size === 0 ? null : (this.#pattern.exec(text.toLowerCase())?.[0] ?? null)
  }
}

const hexOf = (sign: string) => sign.charCodeAt(0).toString(16).padStart(4, '0')

/** A change replaces the record, and no secret is older than its first record. So one look at each record is enough. */
const clean = new WeakSet<object>()

/** Returns every secret in the clear on a device with its place, and a key for patients without its owner. */
export function plaintextOn(device: SimulatedDevice, secrets: Secrets): string[] {
  const found: string[] = []
  for (const { database, store, key, value } of device.disk.records()) {
    if (typeof value === 'object' && value !== null && clean.has(value)) continue
    const problem = problemIn([key, value], secrets)
    if (problem !== null) found.push(`${database}/${store} ${JSON.stringify(key)} holds ${problem}`)
    else if (typeof value === 'object' && value !== null) clean.add(value)
  }
  for (const [key, value] of device.stored()) {
    const secret = secrets.firstIn(`${key} ${value}`)
    if (secret !== null) found.push(`local storage ${key} holds “${secret}”`)
  }
  return [...found, ...ownerlessKeys(device)]
}

function problemIn(value: unknown, secrets: Secrets): string | null {
  const texts: string[] = []
  if (!collect(value, texts)) return 'a key that can be read back'
  for (const text of texts) {
    const secret = secrets.firstIn(text)
    if (secret !== null) return `“${secret}”`
  }
  return null
}

/** Returns false when a key can be read back. */
function collect(value: unknown, texts: string[]): boolean {
  if (typeof value === 'string' || typeof value === 'number') texts.push(String(value))
  else if (value instanceof ArrayBuffer) texts.push(Buffer.from(value).toString('latin1'))
  else if (ArrayBuffer.isView(value)) texts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1'))
  else if (value instanceof CryptoKey) return !value.extractable
  else if (value instanceof Map || value instanceof Set) return [...value].every((inner) => collect(inner, texts))
  else if (typeof value === 'object' && value !== null)
    return Object.entries(value).every(([name, inner]) => texts.push(name) > 0 && collect(inner, texts))
  return true
}

type KeptKey = { id_user: number }
type KeptSession = { home: KeptKey | null; locked?: boolean }

/** A device may hold the key for patients only for its signed-in user, and not while it is locked. */
function ownerlessKeys(device: SimulatedDevice): string[] {
  // In the middle of a transaction, only one of the two may be written.
  if (device.disk.isBusy()) return []
  const records = [...device.disk.records()]
  const fact = records.find(({ store, key }) => store === 'facts' && key === patientsKeyFact)?.value as { value: KeptKey } | undefined
  const session = records.find(({ store }) => store === 'session')?.value as KeptSession | undefined
  if (!fact || (session?.home?.id_user === fact.value.id_user && !session.locked)) return []
  return [`the key for patients lies there for ${fact.value.id_user}, who is ${session?.locked ? 'locked out' : 'not signed in'}`]
}
