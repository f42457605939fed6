import type { Frame } from '#contract/stock/frame.ts'
import { frameChanges, statusHere } from '#src/domain/frames/record-frame-state.ts'
import type { Device } from '#src/sync/device/device.ts'
import { type Announcement, announcement } from './announcement.ts'

type Rules = {
  /** The lines that are on the record now. */
  lines: readonly { frame: Pick<Frame, 'id_inventory'> }[]
  /** The store whose pieces the record takes, and the action on them. */
  from: { storeId: number; verb: 'sent' | 'returned' }
  /** Why a piece in this status cannot go on the record; null when it can. */
  whyNot: (frame: Frame) => string | null | Promise<string | null>
  /** Tells the user what to do with a piece that was not added. */
  advice: string
  /** Puts the piece on the record. Returns the words for it, or null when it was not done. */
  put: () => Promise<string | null>
}

/** Puts a scanned piece on a record, once and only if it may. Returns the announcement for the user. */
export async function putPiece(
  { hot, session }: Pick<Device, 'hot' | 'session'>,
  frame: Frame,
  name: string,
  { lines, from, whyNot, advice, put }: Rules,
): Promise<Announcement> {
  if (lines.some((line) => line.frame.id_inventory === frame.id_inventory))
    return announcement(`${name} is already on this ${from.verb === 'sent' ? 'transfer' : 'return'}.`, 'warn', 'duplicate')
  const locations = session.state.getState().home?.locations
  const store = locations?.find(({ store_id }) => store_id === frame.store_id)?.store_name ?? 'another store'
  const why =
    frame.store_id === from.storeId
      ? await whyNot({ ...frame, status: statusHere(frame, await frameChanges.read(hot, frame.id_inventory)) })
      : `It belongs to ${store} and can’t be ${from.verb} from here`
  if (why !== null) return announcement(`${name}: ${why}. ${advice}`, 'bad', 'set-aside')
  const done = await put()
  return done === null ? announcement(`${name} wasn’t added.`, 'bad', 'not-recorded') : announcement(`${name}: ${done}.`, 'good', 'counted')
}
