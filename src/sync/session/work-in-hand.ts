import type { HomeInfo } from '#contract/people/session.ts'
import type { SessionRow } from '#src/db/hot/hot.ts'

/**
 * Work on the screen that outlives the session. `scans` are saved on this device, and a `form` stays on the screen
 * until it is saved. A form about a `patient` shows data that nobody may read after the session.
 */
export type WorkKind = 'scans' | 'form' | 'patient'

/** The most careful treatment comes last. */
const order: readonly WorkKind[] = ['scans', 'form', 'patient']

/** The user whose session ended while their work was on the screen. Only in memory: on the disk nobody is signed in. */
type Held = { home: HomeInfo; locked: boolean; asks: number }

/**
 * Remembers the work of this window, and its user when the session ends. The other windows and the worker remember
 * their own.
 * @param changed is called when the work of an ended session changes or is left
 */
export function createWorkInHand(changed: () => void) {
  const works = new Map<object, WorkKind>()
  let held: Held | null = null

  function change(next: Held | null) {
    if (held === next) return
    held = next
    changed()
  }

  return {
    hold: (kind: WorkKind): (() => void) => {
      const work = {}
      works.set(work, kind)
      if (held) changed()
      return () => {
        if (!works.delete(work) || !held) return
        // A dialog that gives way to the next one drops nothing: the next one holds before this runs.
        queueMicrotask(() => {
          if (held && works.size > 0) changed()
          else change(null)
        })
      }
    },
    /** The session has changed. */
    adopt(before: SessionRow, next: SessionRow): void {
      if (next.home !== null) held = null
      else if (before.home !== null && works.size > 0) held = { home: before.home, locked: before.locked === true, asks: 0 }
    },
    /** Its user leaves by choice, and drops the work. */
    letGo: () => change(null),
    lock: () => change(held && { ...held, locked: true }),
    /** The values for the screens. */
    ask: () => change(held && { ...held, asks: held.asks + 1 }),
    person: () => held?.home ?? null,
    /** The values for the screens. */
    shown: () => ({
      ended: held ? (order.findLast((kind) => [...works.values()].includes(kind)) ?? 'form') : null,
      asks: held?.asks ?? 0,
      isLeftAlone: held?.locked ?? false,
    }),
  }
}
