import { formatDateTime } from './format.ts'
import { Notice } from './notice.tsx'

/** That what stands below is not of now. @param at when it was */
export function KeptNotice({ at, timeZone }: { at: string | null; timeZone: string | undefined }) {
  if (at === null) return null
  return <Notice tone="info">You’re offline. This is as of {formatDateTime(at, timeZone)}.</Notice>
}
