import { prenticePrism, vertexPower } from '#contract/rx/rx-rules.ts'

/** What opticians reckon beside a prescription, in whole thousandths as there. */

/** `-2.25`, `225` and `7,5` as thousandths; null for what is no number, or of no lens. */
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

/** The lens that does the same at the other place, each meridian by itself; `order` is the nearest one in quarters. */
export function vertexLens({ sphere, cylinder }: Powers, distance: number, way: VertexWay): { exact: Powers; order: Powers } {
  const moved = (power: number) => vertexPower(power, way === 'to-contact' ? distance : -distance)
  const exact = { sphere: moved(sphere), cylinder: moved(sphere + cylinder) - moved(sphere) }
  return { exact, order: { sphere: quarter(exact.sphere), cylinder: quarter(exact.cylinder) } }
}

function quarter(power: number): number {
  // Away from zero where it lies in the middle, for plus as for minus; never a minus zero.
  return Math.sign(power) * Math.round(Math.abs(power) / 250) * 250 || 0
}

export const directions = ['in', 'out', 'up', 'down'] as const
export type Direction = (typeof directions)[number]
const opposite: Record<Direction, Direction> = { in: 'out', out: 'in', up: 'down', down: 'up' }

/** Prentice’s rule. A plus lens is thick in its centre: its base goes where the centre goes, that of a minus lens the other way. */
export function decentred(distance: number, power: number, direction: Direction): { prism: number; base: Direction | null } {
  const prism = prenticePrism(distance, power)
  return { prism, base: prism === 0 ? null : power > 0 ? direction : opposite[direction] }
}
