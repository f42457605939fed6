import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { loadSecrets } from '#server/secrets.ts'

const base = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-secrets-'))
let folder: string
let count = 0
beforeEach(() => {
  folder = path.join(base, String(++count))
})
afterAll(() => fs.rmSync(base, { recursive: true, force: true }))

describe('the server’s keys', () => {
  test('are made once, readable only for their owner, and then stay', async () => {
    const first = await loadSecrets(folder, {})
    expect(await loadSecrets(folder, {})).toEqual(first)
    for (const file of ['secrets.json', 'record-key.json']) expect(fs.statSync(path.join(folder, file)).mode & 0o777).toBe(0o600)
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700)
    expect(
      new Set([first.tokenKey, first.captureKey, first.pinPepper, first.recordKey].map((key) => Buffer.from(key).toString('hex'))).size,
    ).toBe(4)
  })

  test('are the same for all servers that start at once', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => loadSecrets(folder, {})))
    for (const secrets of all) expect(secrets).toEqual(all[0])
    expect(fs.readdirSync(folder).sort()).toEqual(['record-key.json', 'secrets.json'])
  })

  test('come from the environment when it has them', async () => {
    const kept = await loadSecrets(folder, {})
    const given = await loadSecrets(folder, {
      TOKEN_KEY: Buffer.alloc(32, 1).toString('base64'),
      TOKEN_KEY_PREVIOUS: Buffer.from(kept.tokenKey).toString('base64'),
    })
    expect(given.tokenKey).toEqual(new Uint8Array(32).fill(1))
    expect(given.previousTokenKey).toEqual(kept.tokenKey)
    expect(given.captureKey).toEqual(kept.captureKey)
  })

  test('that are too short are refused by name', async () => {
    await expect(loadSecrets(folder, { TOKEN_KEY: 'c2hvcnQ=' })).rejects.toThrow('TOKEN_KEY')
    await expect(loadSecrets(folder, { TOKEN_KEY: 'c2hvcnQ=' })).rejects.not.toThrow('c2hvcnQ')
    await expect(loadSecrets(folder, { SEALING_KEYS: 'nonsense' })).rejects.toThrow('SEALING_KEYS is not valid JSON')
  })
})
