import { monthsAfter } from '#contract/rx/exam-recall.ts'
import { emptyRx, type RxEye, type RxInput } from '#contract/rx/prescription.ts'
import { nearestLegal, ruleOf, sphericalEquivalent, vertexPower } from '#contract/rx/rx-rules.ts'

const empty = emptyRx('contact_lens')

type Lens = Pick<RxEye, 'brand' | 'manufacturer' | 'material' | 'cl_modality' | 'base_curve' | 'diameter' | 'annual_supply' | 'replacement'>
/** The contact lenses that the demo clinic fits, made up like its frames: daily or monthly, by kind. */
const lines: Record<'daily' | 'monthly', Record<'sphere' | 'toric' | 'multifocal', Lens>> = {
  daily: {
    sphere: dailyLens('Drift One', 8600, 14_200),
    toric: dailyLens('Drift One Toric', 8600, 14_500),
    multifocal: dailyLens('Drift One Multifocal', 8700, 14_100),
  },
  monthly: {
    sphere: monthlyLens('Tidewater', 8400, 14_000),
    toric: monthlyLens('Tidewater Toric', 8700, 14_500),
    multifocal: monthlyLens('Tidewater Multifocal', 8600, 14_000),
  },
}
const rigid: Lens = {
  brand: 'Keel GP',
  manufacturer: 'Harrow Lens Laboratory',
  material: 'paflufocon D',
  cl_modality: 'annual',
  base_curve: 7800,
  diameter: 9600,
  annual_supply: 1,
  replacement: 'Once a year',
}

function dailyLens(brand: string, base_curve: number, diameter: number): Lens {
  const rest = { cl_modality: 'daily', annual_supply: 8, replacement: 'Every day' } as const
  return { brand, manufacturer: 'Marisol Optics', material: 'delefilcon A', base_curve, diameter, ...rest }
}

function monthlyLens(brand: string, base_curve: number, diameter: number): Lens {
  const rest = { cl_modality: 'monthly', annual_supply: 2, replacement: 'Every month' } as const
  return { brand, manufacturer: 'Calder Vision', material: 'comfilcon A', base_curve, diameter, ...rest }
}

/**
 * Contact lenses for a patient with these glasses. Every wearer differs a little, and the same `nth` gives the same
 * lenses.
 */
export function contactLensesFor(glasses: RxInput, nth: number): RxInput {
  const line = lines[nth % 2 === 0 ? 'daily' : 'monthly']
  const eye = (of: RxEye, isDominant: boolean): RxEye => (nth % 40 === 3 ? rigidLens(of) : softLens(of, line, isDominant))
  return {
    ...empty,
    refraction_source: 'MR',
    exam_date: glasses.exam_date,
    issue_date: glasses.issue_date,
    expiry_date: glasses.issue_date && monthsAfter(glasses.issue_date, 12),
    provider_id: glasses.provider_id,
    license_no: glasses.license_no,
    npi: glasses.npi,
    od: eye(glasses.od, true),
    // A patient who sees well enough with the other eye alone.
    os: nth === 5 ? { ...empty.os, no_lens: true } : eye(glasses.os, false),
  }
}

function softLens(of: RxEye, line: (typeof lines)['daily'], isDominant: boolean): RxEye {
  if (of.add !== null) {
    const add_designation = of.add <= 1250 ? 'low' : of.add <= 2000 ? 'med' : 'high'
    const dominance = isDominant ? 'D' : 'N'
    return { ...lensOf(line.multifocal, equivalentOf(of)), cl_type: 'soft_multifocal', add_designation, dominance }
  }
  const { cylinder, axis } = of
  if (cylinder === null || axis === null || cylinder > -750) return { ...lensOf(line.sphere, equivalentOf(of)), cl_type: 'soft_sphere' }
  // Soft torics come in few cylinders, and in axes ten degrees apart.
  const made = [-2250, -1750, -1250, -750].find((each) => each >= cylinder) ?? -750
  return {
    ...lensOf(line.toric, of.sphere ?? 0),
    cl_type: 'soft_toric',
    cylinder: made,
    axis: Math.round(axis / 10) * 10 || 180,
  }
}

function rigidLens(of: RxEye): RxEye {
  return { ...lensOf(rigid, of.sphere ?? 0), cl_type: 'rgp', add: of.add }
}

function equivalentOf({ sphere, cylinder }: RxEye): number {
  return sphericalEquivalent(sphere ?? 0, cylinder)
}

/** Converts glasses power at 13 mm to the power on the eye. Beyond 6.00 lenses come in steps of 0.50. */
function lensOf(lens: Lens, sphere: number): RxEye {
  const atEye = vertexPower(sphere, 13_000)
  const step = Math.abs(atEye) > 6000 ? 500 : 250
  const [power = 0] = nearestLegal(Math.round(atEye / step) * step, ruleOf('power', 'contact_lens'))
  return { ...empty.od, ...lens, power, quantity_boxes: lens.annual_supply, wear_schedule: 'Daily wear', solution: solutionOf(lens) }
}

function solutionOf({ cl_modality }: Lens): string | null {
  if (cl_modality === 'daily') return null
  return cl_modality === 'annual' ? 'Conditioning solution' : 'Multipurpose solution'
}
