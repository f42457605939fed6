import type { RxInput, RxKind } from '#contract/rx/prescription.ts'
import { monthsAfter } from '#contract/rx/exam-recall.ts'

/**
 * How long prescriptions hold by law. Only what a statute says in months stands here; a state that is not in the table, or says nothing of
 * a kind, has the usual time, and a store may choose its own.
 */
type Term = { least: number; most: number; law: string }
const noEnd = 60

const federal: Partial<Record<RxKind, Term>> = { contact_lens: { least: 12, most: noEnd, law: '16 CFR 315.6' } }
const ofStates: Readonly<Record<string, Partial<Record<RxKind, Term>>>> = {
  CA: { spectacle: { least: 24, most: noEnd, law: 'Cal. Bus. & Prof. Code § 2541.1(b)' } },
  MN: { contact_lens: { least: 24, most: 24, law: 'Minn. Stat. § 145.712' } },
  SC: {
    spectacle: { least: 12, most: 12, law: 'S.C. Code § 40-24-20(B)' },
    contact_lens: { least: 12, most: 12, law: 'S.C. Code § 40-24-20(B)' },
  },
  WA: { contact_lens: { least: 12, most: 24, law: 'RCW 18.195.040(3)' } },
}

export const usualMonths: Readonly<Record<RxKind, number>> = { spectacle: 24, contact_lens: 12 }

/** The law of a state, or of all of them; null where none says how long. */
export function termOf(kind: RxKind, state: string | null): Term | null {
  const own = state !== null && Object.hasOwn(ofStates, state) ? ofStates[state]?.[kind] : undefined
  return own ?? federal[kind] ?? null
}

/** The usual time, as far as the law of the state allows it. */
export function monthsByState(kind: RxKind, state: string | null): number {
  const term = termOf(kind, state)
  return term ? Math.min(Math.max(usualMonths[kind], term.least), term.most) : usualMonths[kind]
}

const nameOf: Record<RxKind, string> = { spectacle: 'glasses', contact_lens: 'contact lenses' }

/** What the law wants of so many months; null when it wants nothing else. */
export function expiryProblem(kind: RxKind, months: number, state: string | null): string | null {
  const term = termOf(kind, state)
  if (!term) return null
  if (months < term.least) return `The law requires at least ${term.least} months for ${nameOf[kind]} (${term.law})`
  return months > term.most ? `The law allows at most ${term.most} months for ${nameOf[kind]} (${term.law})` : null
}

/** The same of a prescription with both days. Shorter is legal where there is a medical reason, so this only tells. */
export function expiryWarning({ rx_kind, issue_date, expiry_date }: RxInput, state: string | null): string | null {
  const term = termOf(rx_kind, state)
  if (!term || issue_date === null || expiry_date === null) return null
  if (expiry_date < monthsAfter(issue_date, term.least)) {
    return `Expires early: ${expiryProblem(rx_kind, term.least - 1, state)}, unless there’s a medical reason`
  }
  return expiry_date > monthsAfter(issue_date, term.most) && term.most < noEnd
    ? `Expires late: ${expiryProblem(rx_kind, term.most + 1, state)}`
    : null
}
