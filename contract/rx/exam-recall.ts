/** What an exam moves in a patient's record. Days are `YYYY-MM-DD`. */
export type ExamDates = { last_exam_date: string | null; recall_due_date: string | null; recall_reason: string | null }

/** After a comprehensive exam the next one is due. */
export const recallMonths = 12
export const examRecallReason = 'Comprehensive exam'

/** So many months later; where that month has no such day, its last one. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0))
  return new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(date, last.getUTCDate()))).toISOString().slice(0, 10)
}

/**
 * The dates after an exam; null where it changes nothing, because a later one is known. A recall that somebody wrote down for a reason of
 * its own, and that lies after the exam, stays.
 */
export function datesAfterExam(now: ExamDates, examDate: string): ExamDates | null {
  if (now.last_exam_date !== null && now.last_exam_date >= examDate) return null
  const isOwn = now.recall_reason !== null && now.recall_reason !== examRecallReason
  const keepsRecall = isOwn && now.recall_due_date !== null && now.recall_due_date > examDate
  if (keepsRecall) return { ...now, last_exam_date: examDate }
  return { last_exam_date: examDate, recall_due_date: monthsAfter(examDate, recallMonths), recall_reason: examRecallReason }
}
