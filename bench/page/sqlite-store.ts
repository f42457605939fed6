import type { Frame } from '#contract/stock/frames.ts'
import type { RowStore, Stock } from './row-store.ts'

export type SqliteCall =
  | { ask: 'open' }
  | { ask: 'fill'; frames: Frame[] }
  | { ask: 'count' }
  | { ask: 'get'; serial: string }
  | { ask: 'beginning'; typed: string }
  | { ask: 'containing'; part: string }
  | { ask: 'close' }

/** SQLite compiled to WebAssembly, on the origin's private file system, in a worker as it has to be. */
export async function openSqlite(): Promise<RowStore> {
  const worker = new Worker('/bench/sqlite-worker.js', { type: 'module' })
  let number = 0
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  worker.onerror = (event) => {
    for (const { reject } of waiting.values()) reject(new Error(event.message))
  }
  worker.onmessage = ({ data }: MessageEvent<{ number: number; value?: unknown; error?: string }>) => {
    const asked = waiting.get(data.number)
    waiting.delete(data.number)
    if (data.error === undefined) asked?.resolve(data.value)
    else asked?.reject(new Error(data.error))
  }
  const ask = (call: SqliteCall) =>
    new Promise<unknown>((resolve, reject) => {
      number += 1
      waiting.set(number, { resolve, reject })
      worker.postMessage({ number, call })
    })
  const rows = async (call: SqliteCall) => {
    const found = await ask(call)
    return Array.isArray(found) ? found : []
  }
  await ask({ ask: 'open' })
  return {
    fill: async ({ frames }: Stock) => void (await ask({ ask: 'fill', frames })),
    count: async () => Number(await ask({ ask: 'count' })),
    get: (serial) => ask({ ask: 'get', serial }),
    beginning: (typed) => rows({ ask: 'beginning', typed }),
    containing: (part) => rows({ ask: 'containing', part }),
    async close() {
      await ask({ ask: 'close' })
      worker.terminate()
    },
  }
}
