import type { CountLine } from '#contract/counts/count-sheets.ts'

/**
 * The figures of a sheet, computed from its lines. Each expected piece is counted, Missing, explained or set aside, so
 * these four always add up to the expected pieces. Unexpected pieces are separate, among the exceptions.
 */
export type CountSum = {
  expected: number
  counted: number
  missing: number
  explained: number
  /** Expected pieces that somebody scanned when they no longer belonged to the count. */
  expectedSetAside: number
  /** Everything that needs a decision: pieces that are set aside, and unknown codes. */
  exceptions: number
  /** The exceptions by kind, in words. Their numbers add up to `exceptions`. */
  kinds: { name: string; count: number }[]
  /** Retail value of the Missing pieces, in cents. */
  missingRetail: number
  /** Cost of the Missing pieces, in cents; null when no line has one. Sheets closed long ago kept no costs. */
  missingCost: number | null
  /** Missing pieces without a price. */
  missingUnpriced: number
  /** Retail value of all expected pieces, in cents. */
  expectedRetail: number
}

export function countSumOf(lines: readonly CountLine[]): CountSum {
  const sum: CountSum = {
    expected: 0,
    counted: 0,
    missing: 0,
    explained: 0,
    expectedSetAside: 0,
    exceptions: 0,
    kinds: [],
    missingRetail: 0,
    missingCost: null,
    missingUnpriced: 0,
    expectedRetail: 0,
  }
  const kinds = new Map<string, number>()
  for (const line of lines) {
    if (line.expected) {
      sum.expected += 1
      sum.expectedRetail += line.price ?? 0
      if (line.outcome === 'set-aside') sum.expectedSetAside += 1
    }
    if (line.outcome === 'counted') sum.counted += 1
    if (line.outcome === 'explained') sum.explained += 1
    if (line.outcome === 'missing') {
      sum.missing += 1
      sum.missingRetail += line.price ?? 0
      if (typeof line.cost === 'number') sum.missingCost = (sum.missingCost ?? 0) + line.cost
      if (line.price === null) sum.missingUnpriced += 1
    }
    if (isExceptionLine(line)) {
      sum.exceptions += 1
      const name = exceptionName(line)
      kinds.set(name, (kinds.get(name) ?? 0) + 1)
    }
  }
  sum.kinds = [...kinds].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
  return sum
}

/** Returns true when a line is an exception: a piece that is set aside, or an unknown code. */
export function isExceptionLine(line: Pick<CountLine, 'outcome'>): boolean {
  return line.outcome === 'set-aside' || line.outcome === 'unknown'
}

/** Returns the kind of an exception, in words. */
function exceptionName(line: Pick<CountLine, 'outcome' | 'effect' | 'detail'>): string {
  if (line.outcome === 'unknown') return 'Unknown code'
  if (line.effect === 'found') return 'Found again'
  if (line.effect === 'received') return 'Received from transit'
  if (line.detail === null) return 'Set aside'
  return line.detail === 'Not part of this count' ? 'Out of scope' : (line.detail.split(':')[0] ?? line.detail)
}
