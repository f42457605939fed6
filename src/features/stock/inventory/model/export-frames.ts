import type { Failure } from '#src/api/outcome.ts'
import { openStream } from '#src/api/call.ts'
import { stockEndpoints } from '#contract/stock/stock.ts'
import { giveFile } from '#src/device/give-file.ts'
import type { Device } from '#src/sync/device/device.ts'
import { accessKey } from '#src/sync/session/stored-tokens.ts'
import { queryOf, type StockFilters } from './filters.ts'

const fileName = 'data.csv'
/** The same call, with an answer that streams. */
const csv = { ...stockEndpoints.allFilters, answers: 'text/csv' } as const
const lineFeed = 10

export type Exported = { done: true; rows: number } | { done: false; failure: Failure | null }

/** Downloads all filtered frames as data.csv. `onProgress` gets the number of finished rows and of all rows. */
export async function exportFrames(
  device: Pick<Device, 'call' | 'serverNow'>,
  filters: StockFilters,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number, total: number) => void },
): Promise<Exported> {
  const query = queryOf(filters, device.serverNow())
  // Asks for the total first. This call also renews the session if needed, so that the stream starts with a valid
  // token.
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
    // Drops an incomplete download, because it would look complete.
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
