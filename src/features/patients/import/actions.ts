import type { Failure } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'
import { givenBy, labelOf, type Mapping } from './model/columns.ts'
import { type ImportKind, placeOfProblem, type ReadRow, type Verdict } from './model/import-kind.ts'
import type { FileTable } from './model/read-file.ts'

export type RowProblem = { line: number; field: string; message: string }
export type GoodRow<Row> = { line: number; row: Row }
export type Checked<Row = unknown> = {
  good: GoodRow<Row>[]
  bad: RowProblem[]
  badRows: number
  /** The corrections in good rows. */
  mended: RowProblem[]
  repeated: { line: number; first: number }[]
}

/**
 * Checks every row against the rules of the form. Works in chunks, so that the page stays responsive with a long file.
 */
export async function checkRows<Row>(kind: ImportKind<Row>, { lines }: FileTable, mapping: Mapping, today: string): Promise<Checked<Row>> {
  const checked: Checked<Row> = { good: [], bad: [], badRows: 0, mended: [], repeated: [] }
  const seen = new Map<string, number>()
  for (const [at, { line, cells, problem }] of lines.entries()) {
    if (at % 500 === 499) await new Promise((resolve) => setTimeout(resolve, 0))
    const read: ReadRow<Row> =
      problem === null ? kind.readRow(givenBy(cells, mapping), today) : { row: null, problems: [{ field: 'Row', message: problem }] }
    if (read.problems !== null) {
      checked.badRows += 1
      checked.bad.push(...read.problems.map((told) => ({ line, ...told })))
      continue
    }
    const { row } = read
    checked.mended.push(...(read.notices ?? []).map((told) => ({ line, ...told })))
    const identity = kind.identity(row)
    const first = seen.get(identity)
    if (first === undefined) checked.good.push({ line, row })
    else checked.repeated.push({ line, first })
    seen.set(identity, first ?? line)
  }
  return checked
}

export type Told = { line: number; verdict: Verdict; id: string | null; why?: string | null }
type Sent = { told: Told[]; failure: Failure | null; problems: RowProblem[] }

/**
 * Sends the rows batch by batch. Stops at the end, at a refusal, or when `signal` aborts. Sent rows stay imported, and
 * sending them again adds no duplicates.
 */
export async function sendRows<Row>(
  kind: ImportKind<Row>,
  device: Pick<Device, 'call'>,
  rows: readonly GoodRow<Row>[],
  { checkOnly, signal, onProgress }: { checkOnly: boolean; signal: AbortSignal; onProgress: (done: number) => void },
): Promise<Sent> {
  const told: Told[] = []
  for (let from = 0; from < rows.length && !signal.aborted; from += kind.batch) {
    const batch = rows.slice(from, from + kind.batch)
    const rowsOfBatch = batch.map(({ row }) => row)
    const answer = await kind.send(device, rowsOfBatch, checkOnly)
    if (!answer.ok) return { told, failure: answer.failure, problems: problemsOf(kind, answer.failure, batch) }
    answer.value.forEach((result, at) => told.push({ line: batch[at]?.line ?? 0, ...result }))
    onProgress(told.length)
  }
  return { told, failure: null, problems: [] }
}

/** Turns the place in the batch, which the server names, into the line of the file, which a user knows. */
function problemsOf<Row>(kind: ImportKind<Row>, failure: Failure, batch: readonly GoodRow<Row>[]): RowProblem[] {
  if (failure.kind !== 'refused') return []
  return failure.fields.flatMap((problem) => {
    const place = placeOfProblem(problem)
    const line = place === null ? undefined : batch[place.at]?.line
    return place === null || line === undefined ? [] : [{ line, field: labelOf(kind, place.field), message: problem.message }]
  })
}

type Memory = Pick<ImportKind<never>, 'memory'>
const mostRemembered = 20

/** Hashes the headers. A file without headers starts with a patient, so this device must not keep the text. */
async function hashOf(headers: readonly string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(headers)))
  return Array.from(new Uint8Array(digest).slice(0, 12), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function remembered({ memory }: Memory): Record<string, Mapping> {
  try {
    return JSON.parse(localStorage.getItem(memory) ?? '{}') as Record<string, Mapping>
  } catch {
    return {}
  }
}

/** Returns the columns that this device remembers for these headers, or null. */
export async function rememberedColumns(kind: Memory, headers: readonly string[]): Promise<Mapping | null> {
  const mapping = remembered(kind)[await hashOf(headers)]
  return Array.isArray(mapping) && mapping.length === headers.length ? mapping : null
}

export async function rememberColumns(kind: Memory, headers: readonly string[], mapping: Mapping): Promise<void> {
  const entries = Object.entries({ ...remembered(kind), [await hashOf(headers)]: mapping })
  try {
    localStorage.setItem(kind.memory, JSON.stringify(Object.fromEntries(entries.slice(-mostRemembered))))
  } catch {
    // The storage is full or forbidden: the next import guesses the columns again.
  }
}
