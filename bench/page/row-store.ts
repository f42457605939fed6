import type { Frame } from '#contract/stock/frames.ts'

/** Frames in the form for the contestants: all work that only the network would cost is done before. */
export type Stock = { columns: string[]; pages: unknown[][][]; frames: Frame[] }

/** One way to keep the chain's frames on the device. A contestant leaves out the calls that it cannot do. */
export type RowStore = {
  /** Writes all rows into an empty database; afterwards its searches work. */
  fill(stock: Stock): Promise<void>
  count(): Promise<number>
  get?(serial: string): Promise<unknown>
  /** The first 20 codes that begin so. */
  beginning?(typed: string): Promise<unknown[]>
  /** The first 20 codes that contain it. */
  containing?(part: string): Promise<unknown[]>
  close(): Promise<void>
}

/** Resolves when the disk has the scan (strict durability). */
export type Scanning = { scan: (serial: string) => Promise<void> }

/** The records of a scan in an application that keeps rows: the event and the entry of a queue. */
export function scanRows(frame: Frame | undefined, serial: string, number: number) {
  const id = crypto.randomUUID()
  const id_count_sheet = '0199d0f0-0000-7000-8000-000000000001'
  const at = new Date().toISOString()
  const scan = {
    id,
    id_count_sheet,
    raw_code: serial,
    id_inventory: frame?.id_inventory ?? null,
    via: 'scanner',
    captured_at: at,
    author_id: 1,
  }
  const entry = {
    id,
    lane: `count:${id_count_sheet}`,
    lane_seq: number,
    kind: 'count.scan',
    body: scan,
    state: 'queued',
    attempts: 0,
    created_at: at,
  }
  return { scan, entry }
}

/** Rows in a transaction for contestants that write rows: the number with the quickest cold start afterwards. */
export const rowsPerTransaction = 5000
/** Number of hits that a search shows. */
export const hits = 20

export function* chunksOf<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += rowsPerTransaction) yield rows.slice(from, from + rowsPerTransaction)
}

export function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error ?? new Error(`${name} cannot be deleted`))
    request.onblocked = () => reject(new Error(`${name} is still open`))
  })
}
