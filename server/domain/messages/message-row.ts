import type { Selectable } from 'kysely'
import type { Message } from '#contract/patients/messages.ts'
import type { MessageTable } from '#server/platform/db/tables/record-tables.ts'

export const messageColumns = [
  'id',
  'id_patient',
  'channel',
  'direction',
  'at',
  'rep',
  'address',
  'subject',
  'body',
  'template',
  'status',
  'status_at',
  'problem',
  'attempts',
  'outcome',
  'duration_s',
] as const

/** A message as the API returns it. */
export function messageOf(row: Pick<Selectable<MessageTable>, (typeof messageColumns)[number]>): Message {
  const { rep, address, status, attempts, ...rest } = row
  const inHand = status === 'sending'
  return { ...rest, by: rep, to: address, status: inHand ? 'queued' : status, attempts: inHand ? attempts - 1 : attempts }
}
