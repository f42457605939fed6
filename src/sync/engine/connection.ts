import { Dexie } from 'dexie'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'
import type { ConnectionState } from '#src/sync/device/device.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { afterPunchLanes, afterViewLanes, isView, punchLanes, viewLanes } from '#src/sync/engine/lane-numbers.ts'
import type { SessionKeeper } from '#src/sync/session/session.ts'

export type ConnectionKeeper = {
  state: StoreApi<ConnectionState>
  /** The result of a call or a probe. */
  heard: (online: boolean) => void
  set: (change: Partial<ConnectionState>) => void
  recount(): Promise<void>
  onBackOnline(listener: () => void): void
  close(): void
}

/** Fast enough to watch, and slow enough that counting never delays a scan, ms. */
const recountAfterMs = 150

const isWaiting = ({ state }: Pick<OutboxCommand, 'state'>) => state !== 'needs-attention'

export function createConnection(environment: Environment, hot: HotDatabase, session: SessionKeeper): ConnectionKeeper {
  const state = createStore<ConnectionState>(() => ({
    online: null,
    unsent: 0,
    needsAttention: 0,
    oldestAt: null,
    waitsForSignIn: false,
    stalled: false,
    sending: false,
    updateRequired: false,
    lastSyncedAt: null,
    databaseBlocked: null,
  }))
  let planned: (() => void) | null = null
  let back: (() => void) | null = null

  async function recount() {
    const { total, needsAttention, punches, views, oldest } = await hot.transaction('r', hot.outbox, async () => {
      const [all, refused, ofPunches, ofViews] = await Promise.all([
        hot.outbox.count(),
        hot.outbox.where('state').equals('needs-attention').count(),
        hot.outbox.where('[lane+lane_seq+device_id]').between([punchLanes], [afterPunchLanes]).count(),
        hot.outbox.where('[lane+lane_seq+device_id]').between([viewLanes], [afterViewLanes]).and(isWaiting).count(),
      ])
      // Ids are in time order, so the first waiting one is the oldest.
      const work = hot.outbox.orderBy('id').filter((command) => isWaiting(command) && !isView(command))
      const oldest = all > refused + ofViews ? await work.first() : undefined
      return { total: all, needsAttention: refused, punches: ofPunches, views: ofViews, oldest }
    })
    const unsent = total - needsAttention
    state.setState({
      unsent,
      views,
      needsAttention,
      oldestAt: oldest ? Date.parse(oldest.created_at) : null,
      waitsForSignIn: !session.isOpen() && unsent > punches,
      ...(unsent === 0 && { stalled: false }),
    })
  }

  function plan() {
    planned ??= environment.schedule(recountAfterMs, () => {
      planned = null
      // After a database closes, the next opening counts again.
      recount().catch(() => undefined)
    })
  }

  const onMutated = (parts: Record<string, unknown>) => {
    if (Object.keys(parts).some((key) => key.includes(`/${hot.name}/outbox`))) plan()
  }
  Dexie.on('storagemutated', onMutated)
  const stopSession = session.onChange(plan)

  return {
    state,
    heard(online) {
      const before = state.getState().online
      if (before !== online) state.setState({ online })
      if (online && before === false) back?.()
    },
    set: (change) => state.setState(change),
    recount,
    onBackOnline(listener) {
      back = listener
    },
    close() {
      planned?.()
      Dexie.on.storagemutated.unsubscribe(onMutated)
      stopSession()
    },
  }
}
