import { formatDateTime } from './format.ts'
import { Notice } from './notice.tsx'

/** Says that the data below is older. @param at its time */
export function KeptNotice({ at, timeZone }: { at: string | null; timeZone: string | undefined }) {
  if (at === null) return null
  return <Notice tone="info">You’re offline. This is as of {formatDateTime(at, timeZone)}.</Notice>
}
