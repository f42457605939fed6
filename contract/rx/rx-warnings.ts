import { type Eye, eyes, type RxEye, type RxInput, wholeRx } from '#contract/rx/prescription.ts'
import { formatNumber, sphericalEquivalent, transpose } from '#contract/rx/rx-rules.ts'

/**
 * The warnings below the rows. None of them refuses; each deserves a second look. `eye` is null when it concerns both.
 */
export type RxWarning = { eye: Eye | null; message: string }

const nameOf = { od: 'OD', os: 'OS' } as const

export function rxWarnings(given: RxInput, former: RxInput | null): RxWarning[] {
  const rx = wholeRx(given)
  const previous = former && wholeRx(former)
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
  if (power !== null && Math.abs(power) > 10_000) found.push('The sphere is over 10.00')
  if (eye.cylinder !== null && Math.abs(eye.cylinder) > 6000) found.push('The cylinder is over 6.00')
  if (eye.add !== null && (eye.add < 750 || eye.add > 3500)) found.push('Unusual add. Most are +0.75 to +3.50')
  if ((eye.prism_h ?? 0) > 10_000) found.push('The horizontal prism is over 10')
  if ((eye.prism_v ?? 0) > 5000) found.push('The vertical prism is over 5')
  for (const pd of [eye.pd_distance_mono]) if (pd !== null && (pd < 25_000 || pd > 36_000)) found.push('Unusual distance PD')
  if (rx.rx_type === 'progressive' && eye.seg_height !== null && eye.seg_height < 14_000)
    found.push('Low segment height for a progressive lens')
  if (rx.rx_kind === 'contact_lens') {
    if (power !== null && Math.abs(power) > 6000 && power % 500 !== 0) found.push('Most lenses beyond 6.00 come in steps of 0.50')
    // Rigid lenses are made to order, in any axis and diameter.
    if (eye.cl_type?.startsWith('soft')) {
      if (eye.axis !== null && eye.axis % 10 !== 0) found.push('Most toric lenses come in steps of 10 degrees')
      if (eye.diameter !== null && (eye.diameter < 13_000 || eye.diameter > 15_000))
        found.push('Unusual diameter. Most soft lenses are 13.0 to 15.0 mm')
    }
    if (eye.cl_type === 'soft_sphere' && eye.cylinder) found.push('Cylinder entered, but lens type is soft sphere')
  } else if (rx.rx_type === 'single_vision' && eye.add !== null) found.push('Add entered, but lens type is single vision')
  else if (rx.rx_type !== 'single_vision' && eye.add === null && powerOf(eye) !== null)
    found.push('Lens type is multifocal, but there’s no add')
  return found
}

function betweenEyes(rx: RxInput): string[] {
  const { od, os } = rx
  const found: string[] = []
  const [right, left] = [powerOf(od), powerOf(os)]
  if (right !== null && left !== null) {
    const gap = Math.abs(sphericalEquivalent(right, od.cylinder) - sphericalEquivalent(left, os.cylinder))
    if (gap > 1000) found.push(`Anisometropia: the eyes differ by ${(gap / 1000).toFixed(2)} D`)
    if (right * left < 0) found.push('One eye is plus and the other is minus')
  }
  if (od.add !== null && os.add !== null && od.add !== os.add) found.push('The adds are different')
  if (od.prism_v && os.prism_v && od.prism_v_base === os.prism_v_base) found.push('Both vertical prisms have the same base')
  if (od.pd_distance_mono !== null && os.pd_distance_mono !== null && Math.abs(od.pd_distance_mono - os.pd_distance_mono) > 3000) {
    found.push('The distance PDs differ by more than 3 mm')
  }
  return [...found, ...sumsOfPd(rx), ...nearPd(rx)]
}

/** The PD of both eyes, measured at once, equals the sum of the single ones. */
function sumsOfPd(rx: RxInput): string[] {
  return (['distance', 'near'] as const).flatMap((where) => {
    const both = rx[`pd_${where}_bino`]
    const sum = sumOf(rx, where)
    if (both === null || sum === null || Math.abs(both - sum) <= 500) return []
    return [`The ${where} binocular PD isn’t the sum of each eye (${formatNumber(`pd_${where}_bino`, sum)})`]
  })
}

/** How much both eyes turn in together: as measured, or the sum of each. One eye turns half of it. */
function nearPd(rx: RxInput): string[] {
  const smaller = (part: string, most: string) => `${part} is usually ${most} mm smaller than the distance PD`
  const both = within(rx.pd_distance_bino ?? sumOf(rx, 'distance'), rx.pd_near_bino ?? sumOf(rx, 'near'), 2000, 6000)
  if (both === false) return [smaller('The near PD', '2 to 6')]
  const isOdd = eyes.some((eye) => within(rx[eye].pd_distance_mono, rx[eye].pd_near_mono, 1000, 3000) === false)
  return isOdd ? [smaller('The near PD of an eye', '1 to 3')] : []
}

function within(far: number | null, near: number | null, least: number, most: number): boolean | null {
  return far === null || near === null ? null : far - near >= least && far - near <= most
}

function sumOf({ od, os }: RxInput, where: 'distance' | 'near'): number | null {
  const [right, left] = [od[`pd_${where}_mono`], os[`pd_${where}_mono`]]
  return right === null || left === null ? null : right + left
}

/** Compares in minus cylinder: the same lens in the other notation is no change. */
function changes(now: RxEye, before: RxEye): string[] {
  const found: string[] = []
  const [a, b] = [lensOf(now), lensOf(before)]
  if (!a || !b) return found
  for (const [field, name] of [
    ['sphere', 'Sphere'],
    ['cylinder', 'Cylinder'],
  ] as const) {
    if (Math.abs(a[field] - b[field]) > 1000)
      found.push(`${name} changed by more than 1.00 D since the last Rx (${formatNumber(field, b[field])})`)
  }
  const turned = Math.abs(a.axis - b.axis)
  if (a.cylinder !== 0 && b.cylinder !== 0 && Math.min(turned, 180 - turned) > 15) {
    found.push(`Axis changed by more than 15° since the last Rx (${formatNumber('axis', b.axis)})`)
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
