import type { ReviewReason } from '#contract/people/time-card.ts'
import type { Json } from '#server/platform/db/json.ts'

/** The time clock. */
export type PunchTables = {
  punches: PunchTable
  punch_reviews: PunchReviewTable
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
