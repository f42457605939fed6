/** A place on the screen, in px from its left top corner. */
export type Box = { left: number; top: number; width: number; height: number }
/** `weight`: how bad it is to cover the control, from 0 to 1. */
export type Control = Box & { weight: number }
export type Spot = { left: number; top: number }
type Size = { width: number; height: number }

const margin = 12
const step = 24

/**
 * Returns where a toast of this size covers none of the controls, or the least of them on a page that is full of them.
 * It prefers the corner at the right bottom, then the other edges; on a narrow page the top, then the bottom.
 * @param former the present spot, kept as long as it covers nothing
 */
export function freeSpot(size: Size, page: Size, controls: readonly Control[], former: Spot | null): Spot {
  if (former && isWithin(former, size, page) && covered(former, size, controls) === 0) return former
  let best: { spot: Spot; share: number } | null = null
  for (const spot of spots(size, page)) {
    const share = covered(spot, size, controls)
    if (share === 0) return spot
    if (!best || share < best.share) best = { spot, share }
  }
  return best?.spot ?? { left: margin, top: margin }
}

function isWithin(spot: Spot, size: Size, page: Size): boolean {
  return spot.left + size.width <= page.width && spot.top + size.height <= page.height
}

/** Every spot, the preferred ones first. */
function spots(size: Size, page: Size): Spot[] {
  const right = Math.max(margin, page.width - size.width - margin)
  const bottom = Math.max(margin, page.height - size.height - margin)
  const middle = Math.max(margin, (page.width - size.width) / 2)
  const isNarrow = page.width < size.width * 1.5
  const columns = isNarrow ? [middle] : [right, middle, margin]
  const rows: number[] = []
  for (let top = bottom; top >= margin; top -= step) rows.push(top)
  if (isNarrow) rows.reverse()
  const edges = columns.flatMap((left) => [rows[0], rows.at(-1)].map((top) => ({ left, top: top ?? margin })))
  return [...edges, ...columns.flatMap((left) => rows.map((top) => ({ left, top })))]
}

/** The weighted sum of the shares of the controls that the toast would cover. A control that is half covered counts half. */
function covered(spot: Spot, size: Size, controls: readonly Control[]): number {
  return controls.reduce((sum, control) => {
    const width = Math.min(spot.left + size.width, control.left + control.width) - Math.max(spot.left, control.left)
    const height = Math.min(spot.top + size.height, control.top + control.height) - Math.max(spot.top, control.top)
    return width > 0 && height > 0 ? sum + (control.weight * width * height) / (control.width * control.height) : sum
  }, 0)
}
