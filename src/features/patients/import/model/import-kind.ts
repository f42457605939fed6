import type { FieldProblem } from '#contract/core/error-body.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'

/** The result for a row. Only a check returns `new`; `left-out` comes with a reason. */
export type Verdict = 'new' | 'imported' | 'already-there' | 'same-person' | 'left-out'
type Result = { verdict: Verdict; id: string | null; why?: string | null }

type Problem = { field: string; message: string }
/** `notices` are the corrections in a good row. */
export type ReadRow<Row> = { row: Row; problems: null; notices?: Problem[] } | { row: null; problems: Problem[] }

/** A kind of import: its columns, the rules for a row, and the call that sends the rows. */
export type ImportKind<Row> = {
  /** The key under which this device remembers the columns of files. */
  memory: string
  /** Reads and writes the columns that all devices share. The device's own columns apply when there are none. */
  kept?: {
    read: (headers: readonly string[]) => Promise<(string | null)[] | null>
    write: (headers: readonly string[], mapping: readonly (string | null)[]) => Promise<void>
  }
  /** The possible columns, in the order of the form. `names` are the folded headers of other systems. */
  targets: Record<string, { label: string; names: readonly string[] }>
  /** Returns the labels of the missing targets. */
  missing: (mapped: ReadonlySet<string>) => string[]
  readRow: (given: Partial<Record<string, string>>, today: string) => ReadRow<Row>
  /** Rows with the same identity are duplicates, in any file. */
  identity: (row: Row) => string
  /** The number of rows in one call. */
  batch: number
  send: (device: Pick<Device, 'call'>, rows: Row[], checkOnly: boolean) => Promise<Outcome<Result[]>>
  words: {
    /** The noun for counting, like `patient`. */
    one: string
    /** The start of the message that names the missing columns. */
    needs: string
    /** The advice after an import: where the rows are now. */
    after: string
    comparing: string
    /** The end of the line that counts known rows, like `for patients already on file`. */
    known: string
    same: string
  }
  /** The address of a known row's page, or null when it has no page. */
  placeOf: (id: string) => string | null
}

/** Returns the place in the batch and the field of a server's problem, like `body.rows.3.patient.dob`. */
export function placeOfProblem({ path }: FieldProblem): { at: number; field: string } | null {
  const [, at, field] = /^body\.rows\.(\d+)\.(?:patient\.)?(\w+)/.exec(path) ?? []
  return at === undefined ? null : { at: Number(at), field: field ?? '' }
}
