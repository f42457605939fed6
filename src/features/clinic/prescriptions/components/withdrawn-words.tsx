import type { Prescription } from '#contract/rx/prescription.ts'
import { useStoreZone } from '#src/sync/react/use-store-zone.ts'
import { formatDate } from '#src/ui/format.ts'

/** Who took a prescription back, when and why. */
export function WithdrawnWords({ at, by, reason }: NonNullable<Prescription['withdrawn']>) {
  const timeZone = useStoreZone()
  return (
    <>
      By <bdi>{by ?? 'someone'}</bdi> on {formatDate(at, timeZone)}: {reason}
    </>
  )
}
