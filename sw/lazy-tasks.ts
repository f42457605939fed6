/// <reference lib="webworker" />
import tasksScript from 'virtual:worker-tasks'
import { ownScript } from '#src/device/own-script.ts'

/** What the worker does beside giving out files. */
export type WorkerTasks = {
  /** A reference list; null for all other requests. `alsoWait` keeps the worker awake. */
  answer: (request: Request, alsoWait: (work: Promise<unknown>) => void) => Promise<Response> | null
  /** Sends what waits. Refuses when work is left, or it is let go of. */
  drain: () => Promise<void>
  letGo: () => void
}

declare global {
  var loadedTasks: WorkerTasks | undefined
}

/**
 * They come with the first that needs them: they are seven eighths of the worker, and a page that is opened waits until the worker has begun.
 * To be called as the worker is installed, too: the browser keeps no script for later that it was not given by then.
 */
export function workerTasks(): WorkerTasks {
  if (!globalThis.loadedTasks) importScripts(ownScript(tasksScript))
  if (!globalThis.loadedTasks) throw new Error('The script with the worker’s tasks has none')
  return globalThis.loadedTasks
}

/** Null while nothing has needed them. */
export const loadedTasks = (): WorkerTasks | null => globalThis.loadedTasks ?? null
