import { fold } from '#contract/core/folding.ts'
import { usStates } from '#contract/core/us-states.ts'
import type { ImportKind } from './import-kind.ts'

/** The target of each column of the file. Null leaves the column out. */
export type Mapping = (string | null)[]
type Targets = Pick<ImportKind<never>, 'targets'>

export const labelOf = ({ targets }: Targets, target: string): string => targets[target]?.label ?? target

const folded = (text: string) => fold(text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')).trim()

/** Guesses the target of each column from its header. The first column that names a target takes it. */
export function guessColumns({ targets }: Targets, headers: readonly string[]): Mapping {
  const free = new Set(Object.keys(targets))
  return headers.map((header) => {
    const name = folded(header)
    const found = Array.from(free).find((target) => {
      const { label = '', names = [] } = targets[target] ?? {}
      return name === folded(target) || name === folded(label) || names.includes(name)
    })
    if (found) free.delete(found)
    return found ?? null
  })
}

/** Returns the row's text for each target. */
export function givenBy(cells: readonly string[], mapping: Mapping): Partial<Record<string, string>> {
  const given: Partial<Record<string, string>> = {}
  mapping.forEach((target, at) => {
    if (target) given[target] = cells[at]?.trim() ?? ''
  })
  return given
}

export function writtenState(given = ''): string {
  const name = fold(given)
  return usStates.find(([code, state]) => fold(code) === name || fold(state) === name)?.[0] ?? given
}
