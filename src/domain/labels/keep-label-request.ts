import { Dexie } from 'dexie'
import { useLiveQuery } from 'dexie-react-hooks'
import * as v from 'valibot'
import type { Frame } from '#contract/stock/frame.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import type { Device } from '#src/sync/device/device.ts'

/**
 * Writes down that pieces need labels; the server is told as soon as it can be reached. Each is a command of its own: one that the server
 * does not take keeps none of the others. Why not all could be written, or null.
 */
export async function keepLabelRequests(
  device: Pick<Device, 'outbox'>,
  pieces: readonly Pick<Frame, 'id_inventory' | 'sku'>[],
): Promise<string | null> {
  const made = await Promise.all(
    pieces.map(({ id_inventory, sku }) =>
      device.outbox.record('label.request', `frame:${id_inventory}`, { id_inventory }, { title: `${sku}: new label` }),
    ),
  )
  const failed = made.find((one) => !one.saved)
  return failed ? failed.problem.message : null
}

/** A label that was asked for here, of which the server does not know; `refusal` is why it did not take it. */
export type WaitingLabel = { id: string; id_inventory: number; by: string; at: string; refusal: OutboxCommand['last_error'] }

const request = v.object({ id_inventory: v.number() })

/** What waits on this device for labels; undefined until it has been read. */
export function useWaitingLabels(): WaitingLabel[] | undefined {
  const { hot } = useDevice()
  return useLiveQuery(async () => {
    const commands = await hot.outbox.where('[lane+lane_seq+device_id]').between(['frame:'], ['frame:\uffff', Dexie.maxKey]).toArray()
    return commands.flatMap(({ id, kind, body, author, created_at, state, last_error }) => {
      const read = v.safeParse(request, body)
      if (kind !== 'label.request' || !read.success) return []
      return [{ id, ...read.output, by: author.name, at: created_at, refusal: state === 'needs-attention' ? last_error : null }]
    })
  }, [hot])
}
