import { usDate } from '#contract/core/us-date.ts'
import { ageOn } from './patient.ts'

/** Returns a birth date with the age on a day, both `YYYY-MM-DD`: `02/26/1941 (85 y)`. Babies have months. */
export function bornWords(dob: string, today: string): string {
  const years = ageOn(dob, today)
  if (years >= 2) return `${usDate(dob)} (${years} y)`
  const [year = 0, month = 0, day = 0] = dob.split('-').map(Number)
  const [thisYear = 0, thisMonth = 0, thisDay = 0] = today.split('-').map(Number)
  const months = (thisYear - year) * 12 + thisMonth - month - (thisDay < day ? 1 : 0)
  return `${usDate(dob)} (${Math.max(0, months)} mo)`
}
