import type { Failure } from '#src/api/outcome.ts'
import { openStream } from '#src/api/call.ts'
import { stockEndpoints } from '#contract/stock/stock.ts'
import { giveFile } from '#src/device/give-file.ts'
import type { Device } from '#src/sync/device/device.ts'
import { accessKey } from '#src/sync/session/stored-tokens.ts'
import { queryOf, type StockFilters } from './filters.ts'

const fileName = 'data.csv'
/** The same call, whose answer is read as it comes. */
const csv = { ...stockEndpoints.allFilters, answers: 'text/csv' } as const
const lineFeed = 10

export type Exported = { done: true; rows: number } | { done: false; failure: Failure | null }

/** Fetches all frames that pass as data.csv and hands the file over. `onProgress` is told rows done and rows in all. */
export async function exportFrames(
  device: Pick<Device, 'call' | 'serverNow'>,
  filters: StockFilters,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number, total: number) => void },
): Promise<Exported> {
  const query = queryOf(filters, device.serverNow())
  // Says how many there are, and renews the session where it has to be, so that the stream begins with a token that is good.
  const first = await device.call(stockEndpoints.allFilters, { query }, { signal })
  if (!first.ok) return { done: false, failure: signal.aborted ? null : first.failure }
  const { total } = first.value
  onProgress(0, total)
  const opened = await openStream(wire, csv, { query: { ...query, output: 'csv' } }, { token: localStorage.getItem(accessKey), signal })
  if (!opened.ok) return { done: false, failure: signal.aborted ? null : opened.failure }
  try {
    const parts: Uint8Array<ArrayBuffer>[] = []
    let lines = 0
    const reader = opened.value.body?.getReader()
    for (;;) {
      const part = await reader?.read()
      if (!part || part.done) break
      parts.push(part.value)
      for (const byte of part.value) if (byte === lineFeed) lines += 1
      onProgress(Math.min(total, Math.max(0, lines - 1)), total)
    }
    // A download that broke off is not handed over: it would look whole.
    if (signal.aborted) return { done: false, failure: null }
    giveFile(new Blob(parts, { type: 'text/csv' }), fileName)
    return { done: true, rows: Math.max(0, lines - 1) }
  } catch {
    const failure: Failure = { kind: 'unreachable', message: 'The download was interrupted. Nothing was saved.' }
    return { done: false, failure: signal.aborted ? null : failure }
  }
}

const wire = {
  fetch: (input: string, init: RequestInit) => fetch(input, init),
  origin: '',
  schedule: (ms: number, work: () => void) => {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}
