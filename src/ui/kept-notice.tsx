import { formatDateTime } from './format.ts'
import { Notice } from './notice.tsx'

/** That what stands below is not of now. @param at when it was */
export function KeptNotice({ at, timeZone }: { at: string | null; timeZone: string | undefined }) {
  if (at === null) return null
  return <Notice tone="info">No connection: this is how it stood on {formatDateTime(at, timeZone)}.</Notice>
}
