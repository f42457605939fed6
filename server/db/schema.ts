import type { ColumnType, Generated } from 'kysely'
import type { AppointmentStatus } from '#contract/appointments.ts'
import type { CountPhase, CountScope, CountSheet, ExceptionDecision, ScanFinding, ScanVia } from '#contract/count-sheets.ts'
import type { FileMime } from '#contract/file-types.ts'
import type { BrandType, CustomGlassesInput, ModelInput, ProductInput } from '#contract/frame-library.ts'
import type { InventoryStatus } from '#contract/frames.ts'
import type { TransferLineState, TransferReason, TransferStatus } from '#contract/transfers.ts'
import type { CallOutcome, Channel, directions, MessageProblem, MessageStatus } from '#contract/messages.ts'
import type { EntryKind, InvoiceStatus, LineKind } from '#contract/invoice-money.ts'
import type { Benefits, Service, UseDates } from '#contract/insurance-benefits.ts'
import type { InsurancePriority, PhotoSide, Relationship } from '#contract/insurance.ts'
import type { priorities } from '#contract/patient.ts'
import type { FileCategory } from '#contract/patient-files.ts'
import type { PcpInput } from '#contract/pcp.ts'
import type { LetterWay } from '#contract/pcp-letters.ts'
import type { IntakeAnswers } from '#contract/portal.ts'
import type { Letterhead } from '#contract/letterhead.ts'
import type { OpticalSettings } from '#contract/settings.ts'
import type { FieldChange, SettingsAction } from '#contract/settings-changes.ts'
import type { ExamDates } from '#contract/exam-recall.ts'
import type { Prescription, RxInput, RxKind, RxSignature } from '#contract/prescription.ts'
import type { BookChange, BookPrices } from '#contract/price-book.ts'
import type { Role } from '#contract/roles.ts'
import type { PriceEnding } from '#contract/stock-money.ts'
import type { ReviewReason } from '#contract/time-card.ts'
import type { VendorContact, VendorInvoiceInput } from '#contract/store-invoices.ts'
import type { InvoiceAmounts, VendorInvoiceStatus } from '#contract/vendor-invoice-rules.ts'
import type { PatientReturnReason, PatientReturnStatus, RefundMethod, RestockPlace, Warranty } from '#contract/patient-return-rules.ts'
import type { VendorReturnReason, VendorReturnStatus } from '#contract/vendor-return-rules.ts'

/**
 * The tables, as queries see them. Instants are ISO strings with `Z` on both engines (see `database.ts`), money is
 * whole cents, jsonb columns are written with `JSON.stringify` and read parsed.
 */
export type Schema = {
  server_state: ServerStateTable
  scope_revisions: ScopeRevisionTable
  receipts: ReceiptTable
  discarded_commands: DiscardedCommandTable
  device_lanes: DeviceLaneTable
  stores: StoreTable
  users: UserTable
  user_stores: UserStoreTable
  sessions: SessionTable
  refresh_tokens: RefreshTokenTable
  sign_in_failures: SignInFailureTable
  vendors: VendorTable
  brands: BrandTable
  frames: FrameTable
  products: ProductTable
  models: ModelTable
  library_history: LibraryHistoryTable
  custom_glasses: CustomGlassesTable
  model_upcs: ModelUpcTable
  model_photos: ModelPhotoTable
  model_prices: ModelPriceTable
  price_changes: PriceChangeTable
  price_change_items: PriceChangeItemTable
  frame_history: FrameHistoryTable
  transfers: TransferTable
  transfer_lines: TransferLineTable
  label_request: LabelRequestTable
  vendor_contacts: VendorContact
  store_invoices: StoreInvoiceTable
  vendor_invoices: VendorInvoiceTable
  vendor_invoice_lines: VendorInvoiceLineTable
  vendor_invoice_history: VendorInvoiceHistoryTable
  vendor_columns: VendorColumnsTable
  vendor_returns: VendorReturnTable
  vendor_return_lines: VendorReturnLineTable
  vendor_return_history: VendorReturnHistoryTable
  patient_returns: PatientReturnTable
  patient_return_lines: PatientReturnLineTable
  patients: PatientTable
  patient_audit: PatientAuditTable
  appointments: AppointmentTable
  messages: MessageTable
  portal_invitations: PortalInvitationTable
  portal_intakes: PortalIntakeTable
  portal_messages: PortalMessageTable
  invoices: InvoiceTable
  invoice_items: InvoiceItemTable
  invoice_payments: InvoicePaymentTable
  patient_files: PatientFileTable
  patient_uploads: PatientUploadTable
  patient_upload_parts: PatientUploadPartTable
  insurance_coverage_types: CoverageTypeTable
  insurance_companies: InsuranceCompanyTable
  insurance_plans: InsurancePlanTable
  insurances: InsuranceTable
  insurance_holders: InsuranceHolderTable
  insurance_photos: InsurancePhotoTable
  prescriptions: PrescriptionTable
  patient_imports: PatientImportTable
  pcps: PcpTable
  pcp_audit: PcpAuditTable
  pcp_letters: PcpLetterTable
  settings_audit: SettingsAuditTable
  pcp_imports: PcpImportTable
  count_sheets: CountSheetTable
  count_items: CountItemTable
  count_scans: CountScanTable
  count_decisions: CountDecisionTable
  count_lines: CountLineTable
  count_devices: CountDeviceTable
  tablets: TabletTable
  punches: PunchTable
  punch_reviews: PunchReviewTable
}

type Json<T> = ColumnType<T, string, string>

/** One row. `epoch` changes when a backup is restored; devices then rebuild their mirror and send again. */
type ServerStateTable = { id: 1; epoch: string; created_at: string; is_demo: boolean }
/** `chain`, `store:{id}`, `settings:{id}`, `user:{id}` or `patients:{id of a store}`; raised first in every writing transaction of the scope. */
type ScopeRevisionTable = { scope: string; revision: number }
/** Written in the transaction that does the work. `number` is what people quote. */
type ReceiptTable = {
  command_id: string
  number: Generated<number>
  body_hash: string
  kind: string
  author_id: number | null
  deliverer_id: number | null
  device_id: string
  /** The receipt as it was first answered, as text: a repeat is answered byte for byte. */
  answer: string
  received_at: string
}
type DiscardedCommandTable = {
  id: string
  discarded_id: string
  discarded_kind: string
  discarded_body: Json<Record<string, unknown>>
  reason: string
  author_id: number | null
  device_id: string
  discarded_at: string
}
/** The last position seen of each lane of each device: a gap tells that a device lost something. */
type DeviceLaneTable = { device_id: string; lane: string; last_seq: number; gap_count: number; updated_at: string }

export type StoreSettings = {
  blind_counts: boolean
  control_preset: 'practice' | 'specification'
  coverage_percent: number
  scan_gap_ms: number
  /** Absent until someone chooses. */
  optical?: OpticalSettings
  letterhead?: Letterhead
}
type StoreTable = {
  store_id: Generated<number>
  store_name: string
  short_name: string
  time_zone: string
  is_warehouse: boolean
  settings: Json<StoreSettings>
}
type UserTable = {
  id_user: Generated<number>
  /** Lower case; unique, as is `email`. */
  username: string
  email: string
  first_name: string
  last_name: string
  password_hash: string
  /** HMAC-SHA-256 of the PIN under the server's pepper, hex: PINs are looked up by it and kept in no other form. */
  pin_lookup: string | null
  role_ids: Role[]
  store_id: number
  disabled_at: string | null
  /** Of doctors: what their prescriptions tell. */
  license_no: Generated<string | null>
  npi: Generated<string | null>
}
type UserStoreTable = { id_user: number; store_id: number }
/** One sign-in: the family of refresh tokens that came of it. */
type SessionTable = {
  id: string
  id_user: number
  store_id: number
  device_id: string | null
  created_at: string
  last_used_at: string
  revoked_at: string | null
  /** `tablet`: a manager ended all sessions of its tablet. */
  revoked_because: 'logout' | 'reuse' | 'disabled' | 'tablet' | null
  /** The newest rotation while nothing that it gave was ever presented: its answer may have been lost. */
  unconfirmed_rotation: string | null
}
type RefreshTokenTable = {
  token_hash: string
  session_id: string
  issued_at: string
  expires_at: string
  used_at: string | null
}
/** Failures by account and by address: three block the pair's both ends for a minute. */
type SignInFailureTable = { subject: string; failures: number; last_at: string; blocked_until: string | null }

type VendorTable = {
  vendor_id: Generated<number>
  name: string
  account_no: Generated<string | null>
  terms: Generated<string | null>
  ra_policy: Generated<string | null>
}
type BrandTable = { brand_id: Generated<number>; vendor_id: number; name: string; type: Generated<BrandType> }
type ProductTable = { [Column in keyof Omit<ProductInput, 'title'>]: Generated<ProductInput[Column]> } & {
  id_product: Generated<number>
  brand_id: number
  title: string
  version: Generated<number>
  changed_at: string
}
/** What a model costs; `rule_factor` is null where the selling price is fixed. */
export type PriceColumns = {
  list_cost: number | null
  discount_pct: number | null
  net_cost: number | null
  msrp: number | null
  rule_factor: number | null
  rule_ending: PriceEnding | null
  selling_price: number | null
}
export type ModelTable = {
  id_model: Generated<number>
  id_product: number
  title_variant: string
  /** `upc` as 14 digits, see `contract/codes.ts`. */
  gtin: string | null
  version: Generated<number>
  changed_at: string
} & Omit<ModelInput, NotKnownOfPieces> & { [Column in NotKnownOfPieces]: Generated<ModelInput[Column]> } & PriceColumns
type NotKnownOfPieces = 'a' | 'b' | 'ed' | 'dbl' | 'discontinued_at'
type LibraryHistoryTable = {
  id: Generated<number>
  at: string
  id_user: number | null
  rep: string
  store_id: number | null
  action: string
  brand_id: number | null
  id_product: number | null
  id_model: number | null
  detail: string
}
type ModelPhotoTable = {
  id_model: number
  id_photo: string
  mime: string
  size: number
  sha256: string
  at: string
  id_user: number
  rep: string
}
type ModelUpcTable = { gtin: string; upc: string; id_model: number; at: string; rep: string }
type CustomGlassesTable = CustomGlassesInput & {
  id_custom: string
  id_model: number
  at: string
  id_user: number
  rep: string
  store_id: number
}
type ModelPriceTable = {
  id: Generated<number>
  id_model: number
  at: string
  id_user: number | null
  rep: string
  id_price_change: string | null
} & PriceColumns
type PriceChangeTable = {
  id_price_change: string
  effective_on: string
  time_zone: string
  change: ColumnType<BookChange, string, string>
  reprice_stock: boolean
  created_at: string
  created_by: number
  rep: string
  store_id: number
  applied_at: string | null
  cancelled_at: string | null
  cancelled_by: string | null
}
type PriceChangeItemTable = {
  id_price_change: string
  id_model: number
  before: ColumnType<BookPrices, string, string>
  after: ColumnType<BookPrices, string, string>
  outcome: Generated<'applied' | 'skipped' | null>
}
export type FrameTable = {
  id_inventory: Generated<number>
  sku: string
  serial: string
  upc: string | null
  /** `upc` as 14 digits, see `contract/codes.ts`. */
  gtin: string | null
  status: InventoryStatus
  store_id: number
  brand_id: number
  vendor_id: number
  id_model: number | null
  title_product: string
  title_variant: string
  size_lens_width: number | null
  size_bridge_width: number | null
  size_temple_length: number | null
  item_list_cost: number | null
  item_discount: number | null
  item_net: number | null
  pb_selling_price: number | null
  board_location: string | null
  note: string | null
  removed_reason: string | null
  receipt_number: string | null
  receipt_at: string | null
  last_seen_at: string | null
  last_count_sheet_id: string | null
  /** The adding by which it came; several pieces come by one. */
  add_id: Generated<string | null>
  /** The vendor's invoice that it was received by. */
  id_vendor_invoice: Generated<string | null>
  version: number
  changed_at: string
  deleted_at: string | null
  revision: number
}
type FrameHistoryTable = {
  id: Generated<number>
  id_inventory: number
  at: string
  id_user: number | null
  rep: string
  device_id: string | null
  action: string
  status_before: string | null
  status: string
  from_store_id: number | null
  to_store_id: number | null
  stock: string
  extra: string
  /** The count that did it; null for what a person did. */
  id_count_sheet: string | null
}
export type PatientTable = {
  id: string
  patient_no: Generated<number>
  store_id: number
  last_name: string | null
  first_name: string
  middle_name: string | null
  pref: string | null
  dob: string | null
  street_address: string
  address_line_2: string | null
  city: string
  state: string
  zip_code: string
  gender: string
  assigned_sex: string | null
  pronoun: string | null
  email: string | null
  phone: string | null
  phone_home: string | null
  cell_work: string | null
  mailing_list: boolean
  survey: boolean
  inactive: boolean
  priority: (typeof priorities)[number]
  preferred_contact: string | null
  preferred_provider_id: number | null
  preferred_store_id: number | null
  responsible_party_id: string | null
  pcp_id: string | null
  recall_due_date: string | null
  recall_reason: string | null
  hipaa_ack_at: string | null
  sms_consent_at: string | null
  email_consent_at: string | null
  alerts: string | null
  allergies: string | null
  medications: string | null
  ocular_history: string | null
  last_exam_date: string | null
  /** The social security number, encrypted with the server's key for records. */
  ssn_sealed: string | null
  ssn_last4: string | null
  created_at: string
  created_by: number | null
  version: number
  revision: number
  /** As `contract/patient-search.ts` makes them. */
  name_words: string
  last_name_words: string
  address_words: string
  city_words: string
  sort_key: string
}
export type MessageTable = {
  id: string
  id_patient: string
  /** Where whoever wrote it worked. */
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
  /** Of what was asked for: the same id for something else is refused. */
  request_hash: string
  /** `sending` while a process has it in hand; people are told that it is queued. */
  status: MessageStatus | 'sending' | null
  status_at: string | null
  problem: MessageProblem | null
  attempts: ColumnType<number, number | undefined, number>
  /** When it is to be sent next. */
  not_before: string | null
  outcome: CallOutcome | null
  duration_s: number | null
}
/** A patient's way into the portal. Until it is revoked a patient has one at most. */
type PortalInvitationTable = {
  id: string
  id_patient: string
  id_user: number | null
  rep: string
  way: 'email' | 'link'
  /** Where it was sent to. */
  email: string | null
  /** The sending that counts: the id of its e-mail, where there is one. */
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
  /** The fields that went into the record; null until somebody looked. */
  taken: string[] | null
  reviewed_at: string | null
  reviewed_by: number | null
  rep: string | null
}
type PortalMessageTable = {
  id: string
  id_invitation: string
  id_patient: string
  /** The patient's message that this answers; null for one of the patient's own. */
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
type PatientImportTable = {
  store_id: number
  row_hash: string
  id_patient: string
}

export type TransferTable = {
  id_transfer: string
  number: Generated<number>
  from_store_id: number
  to_store_id: number
  reason: TransferReason
  status: TransferStatus
  note: string
  carrier: string
  tracking: string
  discrepancy: Generated<string>
  created_by: string
  created_at: string
  sent_by: string | null
  sent_at: string | null
  closed_at: string | null
  version: Generated<number>
}
type LabelRequestTable = {
  id_request: string
  id_inventory: number
  state: Generated<'waiting' | 'printed' | 'withdrawn'>
  asked_by: string
  asked_at: string
  settled_by: string | null
  settled_at: string | null
}
type TransferLineTable = {
  id_transfer: string
  id_inventory: number
  /** The order in which the pieces were put on it. */
  place: number
  state: TransferLineState
  /** What the piece was when it was sent; null before. */
  sent_status: InventoryStatus | null
  received_by: string | null
  received_at: string | null
  note: Generated<string>
}

type StoreInvoiceTable = {
  invoice_id: string
  number: Generated<number>
  store_id: number
  created_by: string
  created_at: string
  deleted_at: Generated<string | null>
}
export type VendorInvoiceTable = Omit<VendorInvoiceInput, 'amounts'> & {
  [Column in keyof InvoiceAmounts]: Generated<InvoiceAmounts[Column]>
} & {
  id_vendor_invoice: string
  invoice_id: string
  status: VendorInvoiceStatus
  posted_note: Generated<string>
  paid_on: Generated<string | null>
  paid_reference: Generated<string>
  created_by: string
  created_at: string
  deleted_at: Generated<string | null>
  version: Generated<number>
}
type VendorInvoiceLineTable = {
  id_vendor_invoice: string
  id_model: number
  place: number
  qty_invoiced: number | null
  list_cost: number | null
  discount_pct: number | null
  net_cost: number | null
}
type VendorColumnsTable = { vendor_id: number; columns: ColumnType<Record<string, string>, string, string>; changed_at: string }
type VendorInvoiceHistoryTable = {
  id: Generated<number>
  id_vendor_invoice: string
  at: string
  id_user: number | null
  rep: string
  action: string
  detail: string
}

export type VendorReturnTable = {
  return_id: string
  number: Generated<number>
  store_id: number
  vendor_id: number
  status: VendorReturnStatus
  reason: VendorReturnReason
  note: string
  ra_number: Generated<string>
  ra_requested_at: Generated<string | null>
  ra_approved_at: Generated<string | null>
  shipped_at: Generated<string | null>
  carrier: Generated<string>
  tracking: Generated<string>
  credited_at: Generated<string | null>
  credit_memo_no: Generated<string>
  credit_received_cents: Generated<number | null>
  closed_at: Generated<string | null>
  created_by: string
  created_at: string
  since: string
  version: Generated<number>
}
export type PatientReturnTable = {
  return_id: string
  number: Generated<number>
  id_invoice: string
  store_id: number
  status: PatientReturnStatus
  note: string
  warranty: Warranty
  requested_by: string
  requested_at: string
  decided_by: Generated<string | null>
  decided_at: Generated<string | null>
  decision_note: Generated<string>
  restocking_fee_cents: Generated<number>
  credit_cents: Generated<number | null>
  refund_cents: Generated<number | null>
  refund_method: Generated<RefundMethod | null>
  version: Generated<number>
}
type PatientReturnLineTable = {
  return_id: string
  item_sale_id: string
  place: number
  qty: number
  reason: PatientReturnReason
  restock: Generated<RestockPlace | null>
}
type VendorReturnLineTable = {
  return_id: string
  id_inventory: number
  place: number
  cost_cents: number | null
  /** What the piece was before it left the stock for this return; null while it is still there. */
  taken_status: InventoryStatus | null
}
type VendorReturnHistoryTable = {
  id: Generated<number>
  return_id: string
  at: string
  id_user: number | null
  rep: string
  action: string
  detail: string
}

export type PcpTable = PcpInput & {
  id_pcp: string
  version: number
  changed_at: string
  changed_by: string
  /** Who took the place of this one; null for who is in the list. */
  merged_into: Generated<string | null>
  /** As `contract/pcp.ts` makes them. */
  words: string
  city_words: string
  specialty_words: string
  sort_key: string
}
type PcpAuditTable = {
  id: Generated<number>
  id_pcp: string
  at: string
  id_user: number | null
  rep: string
  store_id: number | null
  device_id: string | null
  action: string
  detail: string
}
type PcpLetterTable = {
  id_letter: string
  id_patient: string
  id_pcp: string
  sent_on: string
  way: LetterWay
  about: string
  id_user: number
  rep: string
  recorded_at: string
}
type SettingsAuditTable = {
  id: Generated<number>
  store_id: number
  /** Whose numbers were changed; null where it was about the store. */
  id_provider: number | null
  at: string
  id_user: number
  rep: string
  device_id: string | null
  action: SettingsAction
  changes: Json<FieldChange[]>
}
type PcpImportTable = {
  row_hash: string
  id_pcp: string
}

type PatientAuditTable = {
  id: Generated<number>
  id_patient: string
  at: string
  id_user: number | null
  rep: string
  store_id: number | null
  device_id: string | null
  action: string
  detail: string
  reason: string
  offline: boolean
}

type InvoiceTable = {
  id_invoice: string
  invoice_no: Generated<number>
  id_patient: string
  store_id: number
  id_rx: string | null
  id_appointment: string | null
  /** The day of business. */
  date: string
  sold_by: number | null
  provider_id: number | null
  status: InvoiceStatus
  finalized_at: string | null
  finalized_by: number | null
  promised_date: string | null
  note: Generated<string>
  created_at: string
  created_by: number | null
  version: Generated<number>
}
/** What a line comes to is read from it by `contract/invoice-money.ts`. */
type InvoiceItemTable = {
  item_sale_id: string
  id_invoice: string
  position: number
  kind: LineKind
  /** The piece of a frame's line. */
  id_inventory: number | null
  sku: string | null
  code: string | null
  modifiers: Generated<string[]>
  diagnosis_refs: Generated<string[]>
  description: string
  qty: number
  unit_price_cents: number
  discount_cents: Generated<number>
  discount_pct: number | null
  discount_reason: string | null
  tax_rate_pct: Generated<number>
  insurance_id: string | null
  allowed_cents: number | null
  insurance_cents: Generated<number>
  copay_cents: Generated<number>
  writeoff_cents: Generated<number>
  tray_no: string | null
}
/** The ledger of an invoice: rows are only ever added. `reverses` names the entry that one undoes. */
type InvoicePaymentTable = {
  id_payment: string
  id_invoice: string
  kind: EntryKind
  amount_cents: number
  reverses: string | null
  at: string
  by: number | null
  store_id: number
  insurance_id: string | null
  reference: Generated<string>
  card_last4: string | null
  drawer_session_id: string | null
}

type CoverageTypeTable = { coverage_type_id: number; key: string; name: string; name_words: string }
type InsuranceCompanyTable = { company_id: Generated<number>; name: string; name_words: string; payer_id: string | null }
type InsurancePlanTable = {
  plan_id: Generated<number>
  company_id: number
  coverage_type_id: number | null
  name: string
  name_words: string
  benefits: Json<Benefits>
}
export type InsuranceTable = {
  id_insurance: string
  company_id: number | null
  plan_id: number | null
  coverage_type_id: number | null
  member_id: string | null
  group_no: string | null
  bin: string | null
  payer_id: string | null
  effective_date: string | null
  term_date: string | null
  in_network: boolean | null
  subscriber_name: string | null
  subscriber_dob: string | null
  benefits: Json<Benefits>
  auth_number: string | null
  auth_obtained_at: string | null
  auth_expires_at: string | null
  services_authorised: Json<Service[]>
  eligibility_checked_at: string | null
  eligibility_raw: string | null
  /** Of what it was made from: the same again under the same id is the same policy. */
  made_from: string
  created_at: string
  created_by: number | null
  version: number
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

/** What signing a prescription changed in its patient's record, so that an error can be undone. */
export type MovedByExam = { from: ExamDates; to: ExamDates }

/** Whom a policy covers, and what of it is theirs. Without a priority: an ended policy whose place another one has taken. */
type InsuranceHolderTable = {
  id_insurance: string
  id_patient: string
  relationship: Relationship
  priority: InsurancePriority | null
  used: Json<UseDates>
}
type InsurancePhotoTable = { id_insurance: string; side: PhotoSide; mime: string; content: Uint8Array }

type AppointmentTable = {
  id_appointment: string
  id_patient: string
  store_id: number
  provider_id: number | null
  start_at: string
  duration_min: number
  type: string
  status: AppointmentStatus
  reason: string
  created_at: string
  created_by: number | null
  version: Generated<number>
}

export type CountSheetTable = {
  id_count_sheet: string
  number: Generated<number>
  store_id: number
  scope: Json<CountScope>
  notes: string
  blind: boolean
  phase: CountPhase
  expected_count: number
  created_at: string
  created_by: number
  snapshot_at: string
  closed_at: string | null
  closed_by: number | null
  walk: number
  walk_started_at: string
  /** JSON array of instants at which each walk began. */
  walk_starts: Json<string[]>
  result: Json<CountSheet['result']> | null
  deleted_at: string | null
  revision: number
}
type CountItemTable = {
  id_count_sheet: string
  id_inventory: number
  store_id: number
  sku: string
  serial: string
  upc: string | null
  brand_id: number
  brand_name: string
  title_product: string
  title_variant: string
  size_lens_width: number | null
  size_bridge_width: number | null
  size_temple_length: number | null
  pb_selling_price: number | null
  status: InventoryStatus
  board_location: string | null
  last_seen_at: string | null
  revision: number
}
export type CountScanTable = {
  id: string
  id_count_sheet: string
  store_id: number
  raw_code: string
  id_inventory: number | null
  /** What the device made of the code, when it differs: a late exception. */
  device_id_inventory: number | null
  finding: ScanFinding
  finding_detail: string | null
  via: ScanVia
  negates: string | null
  previous_scan: string | null
  walk: number
  captured_at: string
  received_at: string
  author_id: number
  deliverer_id: number | null
  device_id: string
  revision: number
}
type CountDecisionTable = {
  id_count_sheet: string
  store_id: number
  key: string
  decision: ExceptionDecision
  reason: string
  decided_by: number
  decided_at: string
  revision: number
}
/** A closed sheet's lines, written once by closing. `line` is a `CountLine`. */
type CountLineTable = { id_count_sheet: string; position: number; line: Json<unknown> }
type CountDeviceTable = {
  id_count_sheet: string
  device_id: string
  device_name: string
  id_user: number
  open: boolean
  unsent: number
  last_seen_at: string
}
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
  /** The key of its small picture in the storage. */
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
/**
 * What was last heard of the tablet of a session (`tabletOf`), and the identity under which its app counts what it says:
 * a report that was overtaken on its way changes nothing.
 */
type TabletTable = {
  id_tablet: string
  device_id: string
  last_report: number
  name: string
  store_id: number
  id_user: number
  last_seen_at: string
  unsent: number
  oldest_unsent_at: string | null
  app_version: string | null
  /** When a manager last ended it; its keys change with that. */
  removed_at: Generated<string | null>
}

export type PunchTable = {
  id: string
  id_user: number | null
  username: string
  store_id: number | null
  direction: 'in' | 'out' | 'void'
  at: string
  device_wall: string
  received_at: string
  offline_captured: boolean
  skew_ms: number | null
  device_id: string | null
  deliverer_id: number | null
  supersedes: string | null
  edited_by: number | null
  edit_reason: string | null
  in_review: boolean
  revision: number
}
type PunchReviewTable = {
  punch_id: string
  reasons: Json<ReviewReason[]>
  resolved_at: string | null
  resolution: 'accepted' | 'corrected' | 'rejected' | null
  resolved_by: number | null
  resolution_reason: string | null
}
