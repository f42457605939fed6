import { type Eye, eyes, type RxEye, type RxInput } from '#contract/prescription.ts'
import { formatNumber, sphericalEquivalent, transpose } from '#contract/rx-rules.ts'

/** What stands below the rows: nothing of it refuses, all of it is worth a second look. `eye` is null for what concerns both. */
export type RxWarning = { eye: Eye | null; message: string }

const nameOf = { od: 'OD', os: 'OS' } as const

export function rxWarnings(rx: RxInput, previous: RxInput | null): RxWarning[] {
  const found: RxWarning[] = []
  for (const eye of eyes) for (const message of warningsOfEye(rx, rx[eye])) found.push({ eye, message })
  for (const message of betweenEyes(rx)) found.push({ eye: null, message })
  if (previous && previous.rx_kind === rx.rx_kind) {
    for (const eye of eyes) for (const message of changes(rx[eye], previous[eye])) found.push({ eye, message })
  }
  return found
}

/** The power of an eye, of either kind of lens. */
function powerOf({ sphere, power }: RxEye): number | null {
  return sphere ?? power
}

function warningsOfEye(rx: RxInput, eye: RxEye): string[] {
  const found: string[] = []
  const power = powerOf(eye)
  if (power !== null && Math.abs(power) > 10_000) found.push('The sphere is stronger than 10.00')
  if (eye.cylinder !== null && Math.abs(eye.cylinder) > 6000) found.push('The cylinder is stronger than 6.00')
  if (eye.add !== null && (eye.add < 750 || eye.add > 3500)) found.push('The add is unusual: most are from +0.75 to +3.50')
  if ((eye.prism_h ?? 0) > 10_000) found.push('The horizontal prism is more than 10')
  if ((eye.prism_v ?? 0) > 5000) found.push('The vertical prism is more than 5')
  for (const pd of [eye.pd_distance_mono]) if (pd !== null && (pd < 25_000 || pd > 36_000)) found.push('The distance PD is unusual')
  if (eye.pd_near_mono !== null && eye.pd_distance_mono !== null && eye.pd_near_mono >= eye.pd_distance_mono) {
    found.push('The near PD is not smaller than the distance PD')
  }
  if (rx.rx_type === 'progressive' && eye.seg_height !== null && eye.seg_height < 14_000)
    found.push('The height is low for a progressive lens')
  if (rx.rx_kind === 'contact_lens') {
    if (power !== null && Math.abs(power) > 6000 && power % 500 !== 0) found.push('Most lenses beyond 6.00 come in steps of 0.50')
    if (eye.axis !== null && eye.axis % 10 !== 0) found.push('Most toric lenses come in steps of 10 degrees')
  } else if (rx.rx_type === 'single_vision' && eye.add !== null) found.push('There is an add, but the lens is single vision')
  else if (rx.rx_type !== 'single_vision' && eye.add === null && powerOf(eye) !== null)
    found.push('The lens is multifocal, but there is no add')
  return found
}

function betweenEyes(rx: RxInput): string[] {
  const { od, os } = rx
  const found: string[] = []
  const [right, left] = [powerOf(od), powerOf(os)]
  if (right !== null && left !== null) {
    const gap = Math.abs(sphericalEquivalent(right, od.cylinder) - sphericalEquivalent(left, os.cylinder))
    if (gap > 1000) found.push(`Anisometropia: the eyes differ by ${(gap / 1000).toFixed(2)} D`)
    if (right * left < 0) found.push('One eye is plus, the other minus')
  }
  if (od.add !== null && os.add !== null && od.add !== os.add) found.push('The adds differ')
  if (od.prism_v && os.prism_v && od.prism_v_base === os.prism_v_base) found.push('Both vertical prisms have the same base')
  if (od.pd_distance_mono !== null && os.pd_distance_mono !== null) {
    if (Math.abs(od.pd_distance_mono - os.pd_distance_mono) > 3000) found.push('The distance PDs differ by more than 3 mm')
    const sum = od.pd_distance_mono + os.pd_distance_mono
    if (rx.pd_distance_bino !== null && Math.abs(rx.pd_distance_bino - sum) > 500) {
      found.push(`The distance PD of both eyes is not the sum of each (${formatNumber('pd_distance_bino', sum)})`)
    }
  }
  return found
}

/** Compared in minus cylinder: the same lens in the other notation is no change. */
function changes(now: RxEye, before: RxEye): string[] {
  const found: string[] = []
  const [a, b] = [lensOf(now), lensOf(before)]
  if (!a || !b) return found
  for (const [field, name] of [
    ['sphere', 'Sphere'],
    ['cylinder', 'Cylinder'],
  ] as const) {
    if (Math.abs(a[field] - b[field]) > 1000)
      found.push(`${name} changed by more than 1.00 D since the last one (${formatNumber(field, b[field])})`)
  }
  const turned = Math.abs(a.axis - b.axis)
  if (a.cylinder !== 0 && b.cylinder !== 0 && Math.min(turned, 180 - turned) > 15) {
    found.push(`Axis turned by more than 15° since the last one (${formatNumber('axis', b.axis)})`)
  }
  return found
}

function lensOf(eye: RxEye) {
  const sphere = powerOf(eye)
  if (sphere === null) return null
  const lens = { sphere, cylinder: eye.cylinder ?? 0, axis: eye.axis ?? 180 }
  return lens.cylinder > 0 ? transpose(lens) : lens
}

/** A warning with the eye it is about. */
export function warningWords({ eye, message }: RxWarning): string {
  return eye ? `${nameOf[eye]}: ${message}` : message
}
