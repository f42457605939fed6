import type { FieldProblem } from '#contract/core/error-body.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'

/** What became, or would become, of a row; `new` only of one that was checked, and `left-out` with the reason. */
export type Verdict = 'new' | 'imported' | 'already-there' | 'same-person' | 'left-out'
type Result = { verdict: Verdict; id: string | null; why?: string | null }

type Problem = { field: string; message: string }
/** `notices` say what of a good row was mended. */
export type ReadRow<Row> = { row: Row; problems: null; notices?: Problem[] } | { row: null; problems: Problem[] }

/** What a file can bring: which columns that has, by which rules a row is read, and where it goes. */
export type ImportKind<Row> = {
  /** Where the device remembers the columns of files. */
  memory: string
  /** The columns as they are kept for all devices, and keeping them; those of the device count where there are none. */
  kept?: {
    read: (headers: readonly string[]) => Promise<(string | null)[] | null>
    write: (headers: readonly string[], mapping: readonly (string | null)[]) => Promise<void>
  }
  /** What a column can be, in the order of the form; `names` are what other systems head it with, folded. */
  targets: Record<string, { label: string; names: readonly string[] }>
  /** What is still missing among the targets that have a column, in words. */
  missing: (mapped: ReadonlySet<string>) => string[]
  readRow: (given: Partial<Record<string, string>>, today: string) => ReadRow<Row>
  /** Rows with the same are the same, in every file. */
  identity: (row: Row) => string
  /** Rows that are sent at once. */
  batch: number
  send: (device: Pick<Device, 'call'>, rows: Row[], checkOnly: boolean) => Promise<Outcome<Result[]>>
  words: {
    /** As counted: `patient`. */
    one: string
    /** Why it cannot be done without the missing columns. */
    needs: string
    /** After an import. */
    after: string
    comparing: string
    /** Of whom is known already, and by what. */
    known: string
    same: string
  }
  /** Where somebody who is known already is looked at; null when there is no such page. */
  placeOf: (id: string) => string | null
}

/** The place in the batch, and the field, that a server's problem is about: `body.rows.3.patient.dob`. */
export function placeOfProblem({ path }: FieldProblem): { at: number; field: string } | null {
  const [, at, field] = /^body\.rows\.(\d+)\.(?:patient\.)?(\w+)/.exec(path) ?? []
  return at === undefined ? null : { at: Number(at), field: field ?? '' }
}
