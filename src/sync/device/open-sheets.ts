import * as v from 'valibot'
import { uuid } from '#contract/core/primitives.ts'
import type { Environment } from '#src/sync/device/environment.ts'

/**
 * The sheets that are open on this device's screens, in whichever tab. Whoever drains, be it another tab or the worker,
 * must report all of them: the server lets a sheet be closed when no tablet says that it has it open.
 */
export type OpenSheets = {
  /** A sheet is on this tab's screen, until the answer is called. */
  open(id: string): () => void
  /** What all tabs of this device have open. */
  all(): Promise<string[]>
}

const prefix = 'lorgnette-sheet:'

/** A shared lock tells of each, and ends with its tab however that ends. Without Web Locks a tab knows its own. */
export function createOpenSheets({ locks, report }: Pick<Environment, 'locks' | 'report'>): OpenSheets {
  const mine: string[] = []

  return {
    open(id) {
      // An address that someone typed may name anything.
      if (!v.is(uuid, id)) return () => undefined
      mine.push(id)
      let leave = () => {}
      const left = new Promise<void>((resolve) => {
        leave = resolve
      })
      locks?.request(prefix + id, { mode: 'shared' }, () => left).catch(report)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        mine.splice(mine.indexOf(id), 1)
        leave()
      }
    },
    async all() {
      const { held = [] } = locks ? await locks.query() : {}
      const elsewhere = held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : []))
      return [...new Set([...mine, ...elsewhere])]
    },
  }
}
