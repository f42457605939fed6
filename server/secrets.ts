import { randomBytes, webcrypto } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'
import type { Secrets } from '#server/platform/services.ts'

const keyBytes = 32
const fileName = 'secrets.json'
/** In a file of its own, because it was added later and the server never changes an existing file. */
const recordKeyFileName = 'record-key.json'

const jsonWebKey = v.looseObject({ kty: v.string() })
const sealingKey = v.object({ keyId: v.pipe(v.string(), v.nonEmpty()), privateKey: jsonWebKey, publicKey: jsonWebKey })
const base64Key = v.pipe(
  v.string(),
  v.transform((text) => new Uint8Array(Buffer.from(text, 'base64'))),
  v.check((bytes) => bytes.byteLength >= keyBytes, `must be at least ${keyBytes} bytes, base64`),
)
const secretsShape = v.object({
  tokenKey: base64Key,
  previousTokenKey: v.optional(v.nullable(base64Key), null),
  captureKey: base64Key,
  previousCaptureKey: v.optional(v.nullable(base64Key), null),
  pinPepper: base64Key,
  sealingKeys: v.pipe(v.array(sealingKey), v.minLength(1)),
  recordKey: base64Key,
})

/** The environment variable for each entry of the file. */
const variables = {
  tokenKey: 'TOKEN_KEY',
  previousTokenKey: 'TOKEN_KEY_PREVIOUS',
  captureKey: 'CAPTURE_KEY',
  previousCaptureKey: 'CAPTURE_KEY_PREVIOUS',
  pinPepper: 'PIN_PEPPER',
  sealingKeys: 'SEALING_KEYS',
  recordKey: 'RECORD_KEY',
} as const

/** New keys, from the system's source of randomness. */
export async function newSecrets(): Promise<Secrets> {
  return {
    tokenKey: new Uint8Array(randomBytes(keyBytes)),
    previousTokenKey: null,
    captureKey: new Uint8Array(randomBytes(keyBytes)),
    previousCaptureKey: null,
    pinPepper: new Uint8Array(randomBytes(keyBytes)),
    sealingKeys: [await newSealingKey()],
    recordKey: new Uint8Array(randomBytes(keyBytes)),
  }
}

export async function newSealingKey(): Promise<Secrets['sealingKeys'][number]> {
  const pair = await webcrypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
  return {
    keyId: randomBytes(6).toString('hex'),
    privateKey: await webcrypto.subtle.exportKey('jwk', pair.privateKey),
    publicKey: await webcrypto.subtle.exportKey('jwk', pair.publicKey),
  }
}

/**
 * Loads the keys: each from its environment variable, or else from the files in the data folder. The first start makes
 * those files, readable only for their owner.
 * @throws Error with the name, never the value, of an unreadable key
 */
export async function loadSecrets(dataFolder: string, environment: NodeJS.ProcessEnv): Promise<Secrets> {
  const given: Record<string, unknown> = {}
  for (const [name, variable] of Object.entries(variables)) {
    const value = environment[variable]
    if (value !== undefined && value !== '') given[name] = name === 'sealingKeys' ? parseJson(value, variable) : value
  }
  const isComplete = ['tokenKey', 'captureKey', 'pinPepper', 'sealingKeys'].every((name) => name in given)
  const kept = isComplete ? {} : await readOrMakeFile(dataFolder, fileName, async () => toFile(await newSecrets()))
  const recordKey = 'recordKey' in given ? {} : await readOrMakeFile(dataFolder, recordKeyFileName, newRecordKey)
  const result = v.safeParse(secretsShape, { ...kept, ...recordKey, ...given })
  if (result.success) return result.output
  const wrong = result.issues.map((issue) => issue.path?.[0]?.key)
  const names = Object.entries(variables).filter(([key]) => wrong.includes(key))
  throw new Error(
    `The secret ${names.map(([, variable]) => variable).join(', ')} is not valid (docs/operations.md, Secrets, says how it must look)`,
  )
}

async function newRecordKey(): Promise<Record<string, unknown>> {
  return { recordKey: randomBytes(keyBytes).toString('base64') }
}

async function readOrMakeFile(
  dataFolder: string,
  name: string,
  make: () => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const file = path.join(dataFolder, name)
  if (!existsSync(file)) {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, `${JSON.stringify(await make(), null, 2)}\n`, { mode: 0o600, flush: true })
    try {
      // A link never replaces a file, so several processes that start at once all use the keys of the first.
      linkSync(draft, file)
    } catch (error) {
      if (!existsSync(file)) throw error
    } finally {
      rmSync(draft)
    }
  }
  return v.parse(v.record(v.string(), v.unknown()), parseJson(readFileSync(file, 'utf8'), file))
}

function toFile(secrets: Secrets): Record<string, unknown> {
  const text = (key: Uint8Array | null) => (key === null ? null : Buffer.from(key).toString('base64'))
  return {
    tokenKey: text(secrets.tokenKey),
    previousTokenKey: text(secrets.previousTokenKey),
    captureKey: text(secrets.captureKey),
    previousCaptureKey: text(secrets.previousCaptureKey),
    pinPepper: text(secrets.pinPepper),
    sealingKeys: secrets.sealingKeys,
  }
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Error(`${source} is not valid JSON`)
  }
}
