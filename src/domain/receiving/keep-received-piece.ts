import { Dexie } from 'dexie'
import { useLiveQuery } from 'dexie-react-hooks'
import type { CommandBody } from '#contract/sync/commands.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import type { HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import type { Device } from '#src/sync/device/device.ts'

/**
 * Writes down that something came by a vendor's invoice, to be received once the server is reached: under its `receive_id` once, whether or not
 * a call for it arrived. `by`: who scanned it, and in which store. Why it could not be written, or null.
 */
export async function keepReceivedPiece(
  device: Pick<Device, 'outbox'>,
  received: CommandBody<'vendor-invoice.receive'>,
  title: string,
  by: HomeInfo | null,
): Promise<string | null> {
  const made = await device.outbox.record('vendor-invoice.receive', `receiving:${received.id_vendor_invoice}`, received, {
    title,
    ...(by && { by }),
  })
  return made.saved ? null : made.problem.message
}

/** What was received here and has not reached the server; `refusal` is why the server did not take it. */
export type WaitingReceived = {
  id: string
  title: string
  by: string
  at: string
  body: OutboxCommand['body']
  refusal: OutboxCommand['last_error']
}

/** What waits on this device for an invoice, in its order. */
export async function readWaitingReceived(hot: HotDatabase, idVendorInvoice: string): Promise<WaitingReceived[]> {
  const lane = `${lanePrefix}${idVendorInvoice}`
  return await readBetween(hot, [lane], [lane, Dexie.maxKey])
}

/** The same, as it changes; undefined until it has been read. */
export function useWaitingReceived(idVendorInvoice: string): WaitingReceived[] | undefined {
  const { hot } = useDevice()
  return useLiveQuery(() => readWaitingReceived(hot, idVendorInvoice), [hot, idVendorInvoice])
}

/** What waits on this device for all invoices; undefined until it has been read. */
export function useAllWaitingReceived(): WaitingReceived[] | undefined {
  const { hot } = useDevice()
  return useLiveQuery(() => readBetween(hot, [lanePrefix], [`${lanePrefix}\uffff`, Dexie.maxKey]), [hot])
}

const lanePrefix = 'receiving:'

async function readBetween(hot: HotDatabase, from: unknown[], to: unknown[]): Promise<WaitingReceived[]> {
  const commands = await hot.outbox.where('[lane+lane_seq+device_id]').between(from, to).toArray()
  return commands.map(({ id, title, body, author, created_at, state, last_error }) => ({
    id,
    title,
    body,
    by: author.name,
    at: created_at,
    refusal: state === 'needs-attention' ? last_error : null,
  }))
}
