import { importBatch, type ImportRow, type ImportVerdict, patientImportEndpoints, rowIdentity } from '#contract/patient-import.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device.ts'
import { labelOf, type Mapping, readRow } from './columns.ts'
import type { FileTable } from './read-file.ts'

const timeoutMs = 30_000

export type RowProblem = { line: number; field: string; message: string }
export type GoodRow = { line: number; row: ImportRow }
export type Checked = { good: GoodRow[]; bad: RowProblem[]; badRows: number; repeated: { line: number; first: number }[] }

/** Every row by the rules of the form. In pieces, so that the page stays awake with a long file. */
export async function checkRows({ lines }: FileTable, mapping: Mapping, today: string): Promise<Checked> {
  const checked: Checked = { good: [], bad: [], badRows: 0, repeated: [] }
  const seen = new Map<string, number>()
  for (const [at, { line, cells, problem }] of lines.entries()) {
    if (at % 500 === 499) await new Promise((resolve) => setTimeout(resolve, 0))
    const { row, problems } =
      problem === null ? readRow(cells, mapping, today) : { row: null, problems: [{ field: 'Row', message: problem }] }
    if (row === null) {
      checked.badRows += 1
      checked.bad.push(...problems.map((told) => ({ line, ...told })))
      continue
    }
    const identity = rowIdentity(row.source_id, row.patient)
    const first = seen.get(identity)
    if (first === undefined) checked.good.push({ line, row })
    else checked.repeated.push({ line, first })
    seen.set(identity, first ?? line)
  }
  return checked
}

export type Told = { line: number; verdict: ImportVerdict; id_patient: string | null }
type Sent = { told: Told[]; failure: Failure | null; problems: RowProblem[] }

/** Sends the rows, batch by batch, until they are through, one is refused or `signal` says stop. What was sent stays; sending it again brings nobody twice. */
export async function sendRows(
  device: Pick<Device, 'call'>,
  rows: readonly GoodRow[],
  { checkOnly, signal, onProgress }: { checkOnly: boolean; signal: AbortSignal; onProgress: (done: number) => void },
): Promise<Sent> {
  const told: Told[] = []
  for (let from = 0; from < rows.length && !signal.aborted; from += importBatch) {
    const batch = rows.slice(from, from + importBatch)
    const body = { rows: batch.map(({ row }) => row), check_only: checkOnly }
    const answer = await device.call(patientImportEndpoints.importPatients, { body }, { timeoutMs })
    if (!answer.ok) return { told, failure: answer.failure, problems: problemsOf(answer.failure, batch) }
    answer.value.results.forEach((result, at) => told.push({ line: batch[at]?.line ?? 0, ...result }))
    onProgress(told.length)
  }
  return { told, failure: null, problems: [] }
}

/** The server names a row by its place in the batch, a person by its line. */
function problemsOf(failure: Failure, batch: readonly GoodRow[]): RowProblem[] {
  if (failure.kind !== 'refused') return []
  return failure.fields.flatMap(({ path, message }) => {
    const [, at, field = ''] = /^body\.rows\.(\d+)\.(?:patient\.)?(\w+)/.exec(path) ?? []
    const line = batch[Number(at)]?.line
    return line === undefined ? [] : [{ line, field: labelOf(field), message }]
  })
}

const memory = 'patient-import-columns'
const mostRemembered = 20

/** A file without a header begins with a patient: what is kept of it is a hash. */
async function hashOf(headers: readonly string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(headers)))
  return Array.from(new Uint8Array(digest).slice(0, 12), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function remembered(): Record<string, Mapping> {
  try {
    return JSON.parse(localStorage.getItem(memory) ?? '{}') as Record<string, Mapping>
  } catch {
    return {}
  }
}

/** What these columns were the last time, on this device. */
export async function rememberedColumns(headers: readonly string[]): Promise<Mapping | null> {
  const mapping = remembered()[await hashOf(headers)]
  return Array.isArray(mapping) && mapping.length === headers.length ? mapping : null
}

export async function rememberColumns(headers: readonly string[], mapping: Mapping): Promise<void> {
  const entries = Object.entries({ ...remembered(), [await hashOf(headers)]: mapping })
  try {
    localStorage.setItem(memory, JSON.stringify(Object.fromEntries(entries.slice(-mostRemembered))))
  } catch {
    // A full or closed store: the columns are guessed again next time.
  }
}
