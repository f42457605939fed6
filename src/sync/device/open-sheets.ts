import * as v from 'valibot'
import { uuid } from '#contract/core/primitives.ts'
import type { Environment } from '#src/sync/device/environment.ts'

/**
 * The sheets that are open on this device's screens, in any tab. Another tab or the worker may drain, and must report
 * all of them. The server lets a manager close a sheet when no tablet says that it has it open.
 */
export type OpenSheets = {
  /** Marks a sheet as open on this tab's screen. Returns the function that ends this. */
  open(id: string): () => void
  /** The sheets open in all tabs of this device. */
  all(): Promise<string[]>
}

const prefix = 'lorgnette-sheet:'

/**
 * A shared lock stands for each open sheet, and ends with its tab even after a crash. Without Web Locks a tab only
 * knows its own sheets.
 */
export function createOpenSheets({ locks, report }: Pick<Environment, 'locks' | 'report'>): OpenSheets {
  const mine: string[] = []

  return {
    open(id) {
      // A user may type any id into the address.
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
