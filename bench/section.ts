import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { spreadOf, type Blocks, type PairedRatio } from './statistics.ts'

/** One figure with a goal. */
export type Goal = { what: string; figure: string; target: string; isMet: boolean }

/** The result of one measure: a table of all contestants, and the figures with goals. */
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

/** Cores, memory and Node of this machine, for the line below a section. */
export function thisMachine(): string {
  const memory = Math.round(os.totalmem() / 2 ** 30)
  return `${os.cpus().length} cores (${os.cpus()[0]?.model.trim() ?? 'unknown'}), ${memory} GB, Node ${process.versions.node}`
}

/** The section for the document and the terminal. @param command makes its figures again */
export function toMarkdown(section: Section, command: string, measuredOn: string): string {
  const goals = section.goals.map(({ what, figure, target, isMet }) => [what, figure, target, isMet ? 'reached' : '**missed**'])
  return [
    `### ${section.title}`,
    '',
    ...(goals.length > 0 ? [table(['figure', 'measured', 'to reach', ''], goals), ''] : []),
    table(section.head, section.rows),
    '',
    ...section.notes.flatMap((note) => [note, '']),
    `\`${command}\`; ${measuredOn}.`,
  ].join('\n')
}

/** Replaces a section of docs/performance.md. */
export function writeSection(section: Section, text: string): void {
  const document = path.resolve(import.meta.dirname, '../docs/performance.md')
  const before = fs.readFileSync(document, 'utf8')
  const place = new RegExp(`(<!-- bench ${section.name} -->\n)[^]*?(<!-- end ${section.name} -->)`)
  if (!place.test(before)) throw new Error(`${document} has no place for ${section.name}`)
  fs.writeFileSync(
    document,
    before.replace(place, (_, begin: string, end: string) => `${begin}${text}\n${end}`),
  )
}
