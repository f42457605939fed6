import { Dexie } from 'dexie'
import * as v from 'valibot'
import type { CommandBody, CommandKind, Lane } from '#contract/sync/commands.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import type { HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'

type LaneName = Lane extends `${infer Name}:${string}` ? Name : never
type Bodies = { [K in CommandKind]?: v.GenericSchema }

/** A command that was made on this device and has not reached the server. */
type Unsent<K, Schema> = {
  id: string
  kind: K
  body: Schema extends v.GenericSchema ? v.InferOutput<Schema> : never
  title: string
  store_id: number | null
  by: string
  at: string
  /** Why the server refused it; null while it waits to be sent. */
  refusal: OutboxCommand['last_error']
}
type UnsentOf<B extends Bodies> = { [K in keyof B & CommandKind]: Unsent<K, B[K]> }[keyof B & CommandKind]

/** The actions of one lane: records them on this device, and reads those that wait here. */
type Waiting<One, B extends Bodies> = {
  /**
   * Records an action on this device. It is sent as soon as the server can be reached.
   * Returns the reason it was not saved, else null.
   * @param key the object of the lane, such as the id of a frame
   * @param by the author, if the server was asked first: another user may have signed in meanwhile
   */
  record<K extends keyof B & CommandKind>(
    device: Pick<Device, 'outbox'>,
    kind: K,
    key: string | number,
    body: CommandBody<K>,
    title: string,
    by?: HomeInfo | null,
  ): Promise<string | null>
  /** The waiting actions, each lane in its order. With a key: one lane only. */
  read(hot: HotDatabase, key?: string | number): Promise<One[]>
}

/** One waiting action. */
export type WaitingOf<W> = W extends { read: (...args: never[]) => Promise<(infer One)[]> } ? One : never

/** @param bodies the fields of each kind that the screens read; a command without them is left out */
export function waiting<const B extends Bodies>(lane: LaneName, bodies: B): Waiting<UnsentOf<B>, B> {
  const schemas: Bodies = bodies
  return {
    async record(device, kind, key, body, title, by = null) {
      const made = await device.outbox.record(kind, `${lane}:${key}` as Lane, body, { title, ...(by && { by }) })
      return made.saved ? null : made.problem.message
    },
    async read(hot, key) {
      const first = `${lane}:${key ?? ''}`
      const last = key === undefined ? `${first}\uffff` : first
      const commands = await hot.outbox.where('[lane+lane_seq+device_id]').between([first], [last, Dexie.maxKey]).toArray()
      return commands.flatMap(({ id, kind, body, title, store_id, author, created_at, state, last_error }) => {
        const schema = schemas[kind as CommandKind]
        const read = schema && v.safeParse(schema, body)
        if (!read?.success) return []
        const refusal = state === 'needs-attention' ? last_error : null
        return [{ id, kind, body: read.output, title, store_id, by: author.name, at: created_at, refusal } as UnsentOf<B>]
      })
    },
  }
}
