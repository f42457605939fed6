import { datesAfterExam, type ExamDates } from '#contract/rx/exam-recall.ts'
import type { RxInput } from '#contract/rx/prescription.ts'
import type { Writing } from '#server/platform/db/database.ts'
import type { MovedByExam } from '#server/platform/db/tables/record-tables.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { audit, type AuditRow } from '#server/domain/patients/audit.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'

type Telling = Pick<AuditRow, 'id_patient' | 'at' | 'by' | 'store_id' | 'device_id'>

/**
 * Moves a patient's last exam and recall by the exam of a signed prescription. Exams elsewhere do not count. Returns
 * null when nothing moved.
 */
export async function moveByExam(writing: Writing, scope: Scope, rx: RxInput, tell: Telling): Promise<MovedByExam | null> {
  if (rx.is_outside_rx || rx.exam_date === null) return null
  const now = await datesOf(writing, scope, tell)
  const to = datesAfterExam(now, rx.exam_date)
  if (to) await write(writing, scope, to, { ...tell, reason: 'prescription signed' })
  return to && { from: now, to }
}

/** Undoes the move for a prescription that was entered in error, unless somebody changed the dates since. */
export async function takeBackExam(writing: Writing, scope: Scope, { from, to }: MovedByExam, tell: Telling): Promise<void> {
  const now = await datesOf(writing, scope, tell)
  if (names.some((name) => now[name] !== to[name])) return
  await write(writing, scope, from, { ...tell, reason: 'prescription entered in error' })
}

const names = ['last_exam_date', 'recall_due_date', 'recall_reason'] as const

async function datesOf({ trx }: Writing, scope: Scope, { id_patient }: Telling): Promise<ExamDates> {
  const { last_exam_date, recall_due_date, recall_reason } = await findPatient(trx, scope, id_patient)
  return { last_exam_date, recall_due_date, recall_reason }
}

async function write(writing: Writing, scope: Scope, dates: ExamDates, tell: Telling & { reason: string }): Promise<void> {
  const { trx } = writing
  const row = await findPatient(trx, scope, tell.id_patient)
  const changed = names.filter((name) => row[name] !== dates[name])
  const revision = writing.revision(`patients:${row.store_id}`)
  await trx
    .updateTable('patients')
    .set({ ...dates, version: row.version + 1, revision })
    .where('id', '=', row.id)
    .execute()
  await audit(trx, { ...tell, action: 'patient.edit', detail: changed.sort().join(', ') })
}
