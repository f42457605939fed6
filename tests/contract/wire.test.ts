import { createHash } from 'node:crypto'
import { toJsonSchema } from '@valibot/to-json-schema'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '#contract/sync/command-hash.ts'
import { commandBodies, commandVersions, wireCommand } from '#contract/sync/commands.ts'
import type { Endpoint } from '#contract/core/endpoint.ts'
import { endpoints } from '#contract/core/endpoints.ts'
import { errorCatalog } from '#contract/core/errors.ts'
import { protocol, protocolVersions, pullLine, syncEvent } from '#contract/sync/sync.ts'

/**
 * The fingerprint of the wire, by protocol version. When the test below fails, the wire has changed, and tablets with
 * last month's app still have a full outbox. Ask what they would send and read. Raise `protocolVersions` with a line
 * about the change. Upcast commands whose bodies changed. Then add the new fingerprint here and keep the old ones.
 */
const fingerprints: Record<number, string> = {
  1: '0fd7f34e5569aabf',
  2: '9de89f6d0b80769d',
  3: '0e9d82a228635d0e',
  4: 'c03c11227aee3cb1',
  5: '84c79050a9d506f2',
  6: '2139db2839c3f9cb',
}

function fingerprint(): string {
  const shape = (schema: unknown) => (schema ? toJsonSchema(schema as never, { errorMode: 'ignore', typeMode: 'input' }) : null)
  const calls = Object.fromEntries(
    Object.values(endpoints as Record<string, Endpoint>).map((call) => [
      `${call.method} ${call.path}`,
      [shape(call.params), shape(call.query), shape(call.body), shape(call.response)],
    ]),
  )
  const commands = Object.fromEntries(Object.entries(commandBodies).map(([kind, body]) => [kind, shape(body)]))
  return createHash('sha256')
    .update(canonicalJson([calls, commands, commandVersions, shape(wireCommand), shape(pullLine), shape(syncEvent)]))
    .digest('hex')
    .slice(0, 16)
}

describe('the wire', () => {
  it('has not changed without a new protocol version', () => {
    expect(fingerprints[protocol]).toBe(fingerprint())
  })

  it('describes every version in one line, in order', () => {
    expect(protocolVersions.map(({ version }) => version)).toEqual(protocolVersions.map((_, index) => index + 1))
    expect(protocol).toBe(protocolVersions.at(-1)?.version)
  })

  it('has one entry for each method and path', () => {
    const places = Object.values(endpoints as Record<string, Endpoint>).map((call) => `${call.method} ${call.path}`)
    expect(new Set(places).size).toBe(places.length)
  })

  it('uses only refusals of the catalog', () => {
    for (const call of Object.values(endpoints as Record<string, Endpoint>)) {
      for (const code of call.refuses ?? []) expect(errorCatalog).toHaveProperty(code)
    }
  })
})
