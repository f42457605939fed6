/// <reference lib="webworker" />
import tasksScript from 'virtual:worker-tasks'
import { ownScript } from '#src/device/own-script.ts'

/** The worker's tasks beside serving files. */
export type WorkerTasks = {
  /** A reference list; null for all other requests. `alsoWait` keeps the worker awake. */
  answer: (request: Request, alsoWait: (work: Promise<unknown>) => void) => Promise<Response> | null
  /** Sends the outbox. Rejects when work is left, or when a new version takes over. */
  drain: () => Promise<void>
  letGo: () => void
}

declare global {
  var loadedTasks: WorkerTasks | undefined
}

/**
 * Loads the tasks with the first request that needs them. They are seven eighths of the worker, and a page waits at its
 * opening until the worker has started. Also called during the installation, because the browser stores no script that
 * the worker did not load by then.
 */
export function workerTasks(): WorkerTasks {
  if (!globalThis.loadedTasks) importScripts(ownScript(tasksScript))
  if (!globalThis.loadedTasks) throw new Error('The script with the worker’s tasks has none')
  return globalThis.loadedTasks
}

/** Null until something has needed them. */
export const loadedTasks = (): WorkerTasks | null => globalThis.loadedTasks ?? null
