import { type Eye, eyes, type Prescription, type RxEye, type RxInput, wholeRx } from '#contract/rx/prescription.ts'
import { inNotation } from '#contract/rx/rx-rules.ts'

export type RxDifference = { eye: Eye; field: keyof RxEye }

/**
 * Returns the former prescription: of the same kind, signed last before this one, and neither canceled nor an error.
 */
export function formerOf(all: readonly Prescription[], rx: Prescription): Prescription | null {
  const until = rx.signed_at
  const signed = all.filter(
    ({ id_rx, rx_kind, status, signed_at }) =>
      id_rx !== rx.id_rx &&
      rx_kind === rx.rx_kind &&
      (status === 'active' || status === 'superseded') &&
      signed_at !== null &&
      (until === null || signed_at < until),
  )
  return signed.toSorted((a, b) => (b.signed_at ?? '').localeCompare(a.signed_at ?? ''))[0] ?? null
}

/** Returns the differences between two, eye by eye. The same lens in the other notation is no difference. */
export function rxDifferences(now: RxInput, before: RxInput): RxDifference[] {
  const [a, b] = [inNotation(wholeRx(now), 'minus'), inNotation(wholeRx(before), 'minus')]
  return eyes.flatMap((eye) =>
    (Object.keys(b[eye]) as (keyof RxEye)[]).filter((field) => a[eye][field] !== b[eye][field]).map((field) => ({ eye, field })),
  )
}
