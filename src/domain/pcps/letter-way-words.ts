import type { LetterWay } from '#contract/patients/pcp-letters.ts'

export const letterWayWords: Record<LetterWay, string> = { fax: 'Fax', mail: 'Mail', email: 'Email', hand: 'Given in person' }
