import type { ColumnType, Generated } from 'kysely'
import type { FileMime } from '#contract/patients/file-types.ts'
import type { CallOutcome, Channel, directions, MessageProblem, MessageStatus } from '#contract/patients/messages.ts'
import type { FileCategory } from '#contract/patients/patient-files.ts'
import type { IntakeAnswers } from '#contract/patients/portal.ts'
import type { ExamDates } from '#contract/rx/exam-recall.ts'
import type { Prescription, RxInput, RxKind, RxSignature } from '#contract/rx/prescription.ts'
import type { Json } from '#server/platform/db/json.ts'

/** The parts of a record beside the patient: prescriptions, files, messages and the portal. */
export type RecordTables = {
  prescriptions: PrescriptionTable
  patient_files: PatientFileTable
  patient_uploads: PatientUploadTable
  patient_upload_parts: PatientUploadPartTable
  messages: MessageTable
  portal_invitations: PortalInvitationTable
  portal_intakes: PortalIntakeTable
  portal_messages: PortalMessageTable
}

export type MessageTable = {
  id: string
  id_patient: string
  /** The store in which its author worked. */
  store_id: number
  channel: Channel
  direction: (typeof directions)[number]
  at: string
  id_user: number
  rep: string
  address: string
  subject: string | null
  body: string
  template: string | null
  /** The hash of the request: the same id for another request is refused. */
  request_hash: string
  /** `sending` while a process is sending it; people see it as queued. */
  status: MessageStatus | 'sending' | null
  status_at: string | null
  problem: MessageProblem | null
  attempts: ColumnType<number, number | undefined, number>
  /** The time of the next try. */
  not_before: string | null
  outcome: CallOutcome | null
  duration_s: number | null
}
/** A patient's invitation to the portal. A patient has at most one that is not revoked. */
type PortalInvitationTable = {
  id: string
  id_patient: string
  id_user: number | null
  rep: string
  way: 'email' | 'link'
  /** The address it went to. */
  email: string | null
  /** The sending that counts: the id of its email, if there is one. */
  id_send: string
  token_hash: string
  sends: ColumnType<number, number | undefined, number>
  sent_at: string
  expires_at: string
  accepted_at: string | null
  revoked_at: string | null
  wrong_tries: ColumnType<number, number | undefined, number>
}
type PortalIntakeTable = {
  id: string
  id_invitation: string
  id_patient: string
  at: string
  answers: Json<IntakeAnswers>
  /** The fields that went into the record; null until a user reviewed the form. */
  taken: string[] | null
  reviewed_at: string | null
  reviewed_by: number | null
  rep: string | null
}
type PortalMessageTable = {
  id: string
  id_invitation: string
  id_patient: string
  /** The patient's message that this answers; null for a message from the patient. */
  id_answered: string | null
  way: 'portal' | 'email'
  at: string
  id_user: number | null
  rep: string
  body: string
  read_at: string | null
  assigned_to: number | null
  assigned_rep: string | null
  done_at: string | null
}
type PrescriptionTable = {
  id_rx: string
  id_patient: string
  rx_kind: RxKind
  status: Prescription['status']
  provider_id: number | null
  content: Json<RxInput>
  signature: Json<RxSignature> | null
  signed_by: number | null
  signed_at: string | null
  created_at: string
  created_by: number | null
  version: number
  withdrawn_at: string | null
  withdrawn_by: number | null
  withdrawn_reason: string | null
  moved: Json<MovedByExam> | null
  id_scan: string | null
}
/** The changes that signing a prescription made in its patient's record, so that an error can be undone. */
export type MovedByExam = { from: ExamDates; to: ExamDates }
export type PatientFileTable = {
  id_file: string
  id_patient: string
  /** Its key in the storage. */
  file_path: string
  filename: string
  mime: FileMime
  size: number
  sha256: string
  category: FileCategory
  note: string
  uploaded_by: number
  uploaded_at: string
  /** The key of its thumbnail in the storage. */
  thumbnail_path: Generated<string | null>
}
/** A file on its way in. `file_path`, `mime` and `sha256` are set when it is whole, `id_file` when it is in the record. */
export type PatientUploadTable = {
  filename: string
  id_patient: string
  id_user: number
  created_at: string
  expires_at: string
  length: number | null
  received: Generated<number>
  file_path: string | null
  mime: FileMime | null
  sha256: string | null
  id_file: string | null
}
type PatientUploadPartTable = { filename: string; start: number; size: number; key: string }
