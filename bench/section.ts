import { spreadOf, type Blocks, type PairedRatio } from './statistics.ts'

/** One figure that is to be reached. */
export type Goal = { what: string; figure: string; target: string; isMet: boolean }

/** What one measure found: a table of all contestants, and the figures that count. */
export type Section = { name: string; title: string; head: string[]; rows: string[][]; goals: Goal[]; notes: string[] }

/** Three digits that mean something. */
export function told(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(value >= 10 ? 3 : 2)))
}

export function ratio({ median, low, high }: PairedRatio): string {
  return `${told(median)} (${told(low)}–${told(high)})`
}

export function spreadCells(blocks: Blocks): string[] {
  const { n, p50, p95, p99 } = spreadOf(blocks)
  return [String(n), told(p50), told(p95), told(p99)]
}

export function atMost(what: string, value: number, limit: number, unit = ''): Goal {
  return { what, figure: told(value) + unit, target: `≤ ${told(limit)}${unit}`, isMet: value <= limit }
}

export function atLeast(what: string, value: number, limit: number, unit = ''): Goal {
  return { what, figure: told(value) + unit, target: `≥ ${told(limit)}${unit}`, isMet: value >= limit }
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The section as it stands in the document and on the terminal. */
export function toMarkdown(section: Section, measuredOn: string): string {
  const goals = section.goals.map(({ what, figure, target, isMet }) => [what, figure, target, isMet ? 'reached' : '**missed**'])
  return [
    `### ${section.title}`,
    '',
    table(['figure', 'measured', 'to reach', ''], goals),
    '',
    table(section.head, section.rows),
    '',
    ...section.notes.flatMap((note) => [note, '']),
    `\`npm run bench -- --only ${section.name}\`; ${measuredOn}.`,
  ].join('\n')
}
