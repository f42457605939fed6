/// <reference lib="webworker" />
// What the worker does beside giving out files, in a script of its own: see `workerTasks` in lazy-tasks.ts.
import { letGo, untilLetGo } from './let-go.ts'
import { drainInWorker, keepReferenceLists } from './worker-tasks.ts'

declare const self: ServiceWorkerGlobalScope

globalThis.loadedTasks = {
  answer: keepReferenceLists(self.registration.scope).answer,
  drain: () => untilLetGo(drainInWorker()),
  letGo,
}
