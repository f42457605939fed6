import type { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'
import * as v from 'valibot'
import { pgliteStream } from '#server/platform/db/pglite-stream.ts'

type Start = { folder: string } | { folder: null; dumpFile: string | null }
type Task = { task: 'exchange'; bytes: Uint8Array } | { task: 'dump'; file: string } | { task: 'close' }
type Waiting = { resolve: (answer: Uint8Array | null) => void; reject: (error: Error) => void }

const message = v.union([
  v.object({ ready: v.literal(true) }),
  v.object({ id: v.number(), error: v.string() }),
  v.object({ id: v.number(), answer: v.optional(v.instance(Uint8Array)) }),
])

/** The embedded database, running in its worker thread. */
export class PgliteThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #ended: Error | null = null

  private constructor(worker: Worker) {
    this.#worker = worker
  }

  /** Starts the thread and opens the database. `onLost` is called when the thread later ends unexpectedly. */
  static async start(start: Start, onLost: (error: Error) => void): Promise<PgliteThread> {
    const worker = new Worker(new URL('./pglite-worker.mjs', import.meta.url), { workerData: start, execArgv: [] })
    const thread = new PgliteThread(worker)
    let ready = false
    await new Promise<void>((resolve, reject) => {
      worker.on('message', (raw: unknown) => {
        const received = v.parse(message, raw)
        if ('ready' in received) {
          ready = true
          resolve()
        } else thread.#settle(received)
      })
      const lost = (error: Error) => {
        if (!ready) return reject(error)
        if (thread.#end(error)) onLost(error)
      }
      worker.on('error', lost)
      worker.on('exit', (code) => lost(new Error(`The embedded database ended with code ${code}`)))
    })
    return thread
  }

  /** Returns a connection for `pg`: the database answers everything written to it. */
  connect(): Duplex {
    return pgliteStream((bytes) => this.exchange(bytes))
  }

  async exchange(bytes: Uint8Array): Promise<Uint8Array> {
    return (await this.#ask({ task: 'exchange', bytes })) ?? new Uint8Array()
  }

  /** Writes the whole database as a tar file that a thread can start from. */
  async dump(file: string): Promise<void> {
    await this.#ask({ task: 'dump', file })
  }

  /** Checkpoints and ends; the files are whole afterwards. */
  async close(): Promise<void> {
    if (this.#ended) return
    await this.#ask({ task: 'close' })
    this.#end(new Error('The embedded database is closed'))
    await this.#worker.terminate()
  }

  #ask(task: Task): Promise<Uint8Array | null> {
    if (this.#ended) return Promise.reject(this.#ended)
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, ...task })
    })
  }

  #settle(received: { id: number; error: string } | { id: number; answer?: Uint8Array | undefined }): void {
    const waiting = this.#waiting.get(received.id)
    this.#waiting.delete(received.id)
    if ('error' in received) waiting?.reject(new Error(received.error))
    else waiting?.resolve(received.answer ?? null)
  }

  #end(error: Error): boolean {
    if (this.#ended) return false
    this.#ended = error
    for (const waiting of this.#waiting.values()) waiting.reject(error)
    this.#waiting.clear()
    return true
  }
}
