import { TriangleAlert, Upload } from 'lucide-react'
import { Badge } from '#src/ui/badge.tsx'

export type UnsentState = 'waiting' | 'attention'

/** What a user must know of a patient before anything else: inactive, a special priority, changes that are not sent. */
export function PatientBadges({
  inactive,
  priority,
  unsent,
}: {
  inactive: boolean
  priority: string | null
  unsent: UnsentState | undefined
}) {
  return (
    <>
      {inactive && (
        <Badge tone="neutral">
          <span>Inactive</span>
        </Badge>
      )}
      {priority && (
        <Badge tone="warn">
          <span>{priority}</span>
        </Badge>
      )}
      {unsent === 'waiting' && (
        <Badge tone="warn" icon={<Upload aria-hidden />}>
          Not sent yet
        </Badge>
      )}
      {unsent === 'attention' && (
        <Badge tone="bad" icon={<TriangleAlert aria-hidden />}>
          Needs attention
        </Badge>
      )}
    </>
  )
}
