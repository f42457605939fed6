import type { Prescription } from '#contract/rx/prescription.ts'

/** Who took a prescription back, when and why. */
export function WithdrawnWords({ at, by, reason }: NonNullable<Prescription['withdrawn']>) {
  return (
    <>
      By <bdi>{by ?? 'somebody'}</bdi> on {at.slice(0, 10)}: {reason}
    </>
  )
}
