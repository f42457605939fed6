import { Dexie } from 'dexie'
import { useLiveQuery } from 'dexie-react-hooks'
import * as v from 'valibot'
import type { Frame } from '#contract/stock/frame.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import { type TransferReason, transferReasons } from '#contract/stock/transfers.ts'
import type { HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import type { Device } from '#src/sync/device/device.ts'

type Tablet = Pick<Device, 'outbox'>
type Draft = { to_store_id: number; reason: TransferReason; note: string }

/** A draft that is begun without a connection. Why it could not be written down, or null; so for the two below. */
export async function keepTransferBegin(
  { outbox }: Tablet,
  id_transfer: string,
  draft: Draft,
  goal: string,
  /** Who began it, when the server was waited for meanwhile: somebody else may have signed in. */
  by: HomeInfo | null,
): Promise<string | null> {
  const title = `New transfer to ${goal}`
  const made = await outbox.record('transfer.begin', laneOf(id_transfer), { id_transfer, ...draft }, { title, ...(by && { by }) })
  return problemOf(made)
}

/** One piece that is put on a draft, or taken off it. */
export async function keepTransferPut(
  { outbox }: Tablet,
  id_transfer: string,
  { id_inventory, sku }: Pick<Frame, 'id_inventory' | 'sku'>,
  on: boolean,
): Promise<string | null> {
  const title = `${sku}: ${on ? 'added to' : 'removed from'} a transfer`
  return problemOf(await outbox.record('transfer.put', laneOf(id_transfer), { id_transfer, id_inventory, on }, { title }))
}

/** The draft leaves, with the pieces that are on it. */
export async function keepTransferSend({ outbox }: Tablet, id_transfer: string, items: number[], goal: string): Promise<string | null> {
  // Without a word of sending: it is shown while it waits, when it was refused and when it was sent.
  const title = `Transfer to ${goal}`
  return problemOf(await outbox.record('transfer.send', laneOf(id_transfer), { id_transfer, items }, { title }))
}

const laneOf = (id: string) => `transfer:${id}` as const
const problemOf = (made: Awaited<ReturnType<Device['outbox']['record']>>) => (made.saved ? null : made.problem.message)

const bodies = v.variant('kind', [
  v.object({
    kind: v.literal('transfer.begin'),
    body: v.object({ id_transfer: v.string(), to_store_id: v.number(), reason: v.picklist(transferReasons), note: v.string() }),
  }),
  v.object({ kind: v.literal('transfer.put'), body: v.object({ id_transfer: v.string(), id_inventory: v.number(), on: v.boolean() }) }),
  v.object({ kind: v.literal('transfer.send'), body: v.object({ id_transfer: v.string(), items: v.array(v.number()) }) }),
])

/** What was done here to a transfer and has not reached the server; `refusal` is why the server did not take it. */
export type WaitingTransfer = v.InferOutput<typeof bodies> & {
  id: string
  store_id: number | null
  by: string
  at: string
  refusal: OutboxCommand['last_error']
}

/** What waits on this device for transfers, each transfer's in its order. */
export async function readWaitingTransfers(hot: HotDatabase): Promise<WaitingTransfer[]> {
  const commands = await hot.outbox.where('[lane+lane_seq+device_id]').between(['transfer:'], ['transfer:\uffff', Dexie.maxKey]).toArray()
  return commands.flatMap(({ id, kind, body, store_id, author, created_at, state, last_error }) => {
    const read = v.safeParse(bodies, { kind, body })
    if (!read.success) return []
    const refusal = state === 'needs-attention' ? last_error : null
    return [{ id, ...read.output, store_id, by: author.name, at: created_at, refusal }]
  })
}

/** The same, as it changes; undefined until it has been read. */
export function useWaitingTransfers(): WaitingTransfer[] | undefined {
  const { hot } = useDevice()
  return useLiveQuery(() => readWaitingTransfers(hot), [hot])
}
