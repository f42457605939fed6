import type { Generated } from 'kysely'
import type { PcpInput } from '#contract/patients/pcp.ts'
import type { LetterWay } from '#contract/patients/pcp-letters.ts'

/** Primary care providers. */
export type PcpTables = {
  pcps: PcpTable
  pcp_audit: PcpAuditTable
  pcp_letters: PcpLetterTable
  pcp_imports: PcpImportTable
}

export type PcpTable = PcpInput & {
  id_pcp: string
  version: number
  changed_at: string
  changed_by: string
  /** Who took the place of this one; null for who is in the list. */
  merged_into: Generated<string | null>
  /** As `contract/patients/pcp.ts` makes them. */
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
type PcpImportTable = {
  row_hash: string
  id_pcp: string
}
