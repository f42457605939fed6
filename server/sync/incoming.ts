import * as v from 'valibot'
import { hashedText } from '#contract/sync/command-hash.ts'
import {
  type CommandBody,
  commandBodies,
  type CommandKind,
  commandSealContext,
  commandVersions,
  sealedBody,
  sealedKinds,
  upcasts,
  type WireCommand,
} from '#contract/sync/commands.ts'
import { type FieldProblem, Refusal } from '#contract/core/errors.ts'
import { bodyHash } from '#server/platform/db/receipts.ts'
import { openSealed } from '#server/domain/people/open-sealed.ts'
import type { Services } from '#server/platform/services.ts'

/** A command of a batch before it is parsed. */
export type Incoming = { command: WireCommand; id: string; hash: string }

export function receive(command: WireCommand): Incoming {
  return { command, id: command.id.toLowerCase(), hash: bodyHash(hashedText(command)) }
}

export function isKnownKind(kind: string): kind is CommandKind {
  return Object.hasOwn(commandBodies, kind)
}

/** Returns the body from before the tablet sealed it; an unsealed body is unchanged. @throws `sealed-unreadable`. */
export async function openBody(services: Pick<Services, 'secrets'>, command: WireCommand): Promise<WireCommand['body']> {
  if (!sealedKinds.some((kind) => kind === command.kind)) return command.body
  const sealed = v.safeParse(sealedBody, command.body)
  if (!sealed.success) return command.body
  const text = await openSealed(services.secrets, sealed.output, commandSealContext(command.id, command.kind))
  if (text === null) throw new Refusal('sealed-unreadable')
  try {
    return v.parse(v.record(v.string(), v.unknown()), JSON.parse(text))
  } catch {
    throw new Refusal('sealed-unreadable')
  }
}

/**
 * Returns the body in today's shape. @throws `command-unknown` for a newer version than this server's,
 * `request-invalid` for a wrong body.
 */
export function readBody<K extends CommandKind>(kind: K, command: Pick<WireCommand, 'version' | 'body'>): CommandBody<K> {
  const today = commandVersions[kind]
  if (command.version > today) throw new Refusal('command-unknown')
  let body: unknown = command.body
  for (let version = command.version; version < today; version++) {
    const upcast = upcasts[kind]?.[version]
    if (!upcast) throw new Refusal('command-unknown')
    body = upcast(body)
  }
  const schema: v.GenericSchema<unknown, CommandBody<K>> = schemaOf(kind)
  const parsed = v.safeParse(schema, body)
  if (parsed.success) return parsed.output
  throw new Refusal('request-invalid', { fields: parsed.issues.map(problemOf) })
}

function schemaOf<K extends CommandKind>(kind: K): v.GenericSchema<unknown, CommandBody<K>> {
  return commandBodies[kind] as unknown as v.GenericSchema<unknown, CommandBody<K>>
}

function problemOf(issue: v.BaseIssue<unknown>): FieldProblem {
  return { path: ['body', ...(issue.path ?? []).map((part) => String(part.key))].join('.'), message: issue.message }
}

/**
 * Returns when something was done, in server time: the device's wall clock corrected by the offset that it measured.
 * Nothing was done after it arrived, so a fast clock is held back to `receivedAt`. An unreadable clock counts as
 * `receivedAt` too.
 */
export function capturedInstant(captured: WireCommand['captured'], receivedAt: string): string {
  const corrected = Date.parse(captured.wall) + (captured.server_offset_ms ?? 0)
  const received = Date.parse(receivedAt)
  // A number far outside the life of this software is a fault, and the database would refuse it.
  if (!Number.isFinite(corrected) || corrected < 0 || corrected > received) return receivedAt
  return new Date(corrected).toISOString()
}
