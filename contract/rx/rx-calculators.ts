import { prenticePrism, vertexPower } from '#contract/rx/rx-rules.ts'

/** Calculations of opticians around a prescription, in whole thousandths as there. */

/** Reads `-2.25`, `225` and `7,5` as thousandths; null for text that is no number, or too large for a lens. */
export function readPlain(typed: string): number | null {
  const text = typed.trim().replace(/[−–]/g, '-').replace(',', '.')
  const parts = /^([+-]?)(\d{0,4})(?:\.(\d{0,3}))?$/.exec(text)
  if (!parts || !/\d/.test(text)) return null
  const [, sign, whole = '', fraction] = parts
  const size =
    fraction === undefined && whole.length >= 3 ? Number(whole) * 10 : Math.round(Number(`${whole || 0}.${fraction || 0}`) * 1000)
  if (size > 100_000) return null
  return sign === '-' && size !== 0 ? -size : size
}

export type Powers = { sphere: number; cylinder: number }
export type VertexWay = 'to-contact' | 'to-glasses'

/**
 * Returns the lens with the same effect at the other distance, each meridian separately. `order` is the nearest one in
 * quarters.
 */
export function vertexLens({ sphere, cylinder }: Powers, distance: number, way: VertexWay): { exact: Powers; order: Powers } {
  const moved = (power: number) => vertexPower(power, way === 'to-contact' ? distance : -distance)
  const exact = { sphere: moved(sphere), cylinder: moved(sphere + cylinder) - moved(sphere) }
  return { exact, order: { sphere: quarter(exact.sphere), cylinder: quarter(exact.cylinder) } }
}

function quarter(power: number): number {
  // Halfway values round away from zero, for plus as for minus; never a minus zero.
  return Math.sign(power) * Math.round(Math.abs(power) / 250) * 250 || 0
}

export const directions = ['in', 'out', 'up', 'down'] as const
export type Direction = (typeof directions)[number]
const opposite: Record<Direction, Direction> = { in: 'out', out: 'in', up: 'down', down: 'up' }

/**
 * Prentice’s rule. A plus lens is thick in its center, so its base moves with the center. The base of a minus lens
 * moves the other way.
 */
export function decentered(distance: number, power: number, direction: Direction): { prism: number; base: Direction | null } {
  const prism = prenticePrism(distance, power)
  return { prism, base: prism === 0 ? null : power > 0 ? direction : opposite[direction] }
}
