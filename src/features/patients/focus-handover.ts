/** Where the keyboard is: in a field or at a button of the form, or at one of those who were found. */
type Place = { element: number; from: number | null; to: number | null } | { href: string }

/** Of a panel that goes, for the one that takes its place in the same moment. */
let given: Place | null = null

/** Notes where the keyboard is in a panel that is about to go. */
export function giveFocusOn(panel: HTMLElement): void {
  given = placeOf(document.activeElement, panel)
  // Nobody takes it who comes later.
  queueMicrotask(() => (given = null))
}

/** Puts the keyboard where it was in the panel that stood here before. */
export function takeFocusOver(panel: HTMLElement): void {
  if (given === null) return
  const place = given
  given = null
  if ('href' in place) {
    const links = panel.querySelectorAll('a')
    for (const link of links) if (link.getAttribute('href') === place.href) return link.focus({ preventScroll: true })
    return
  }
  const element = panel.querySelector('form')?.elements[place.element]
  if (!(element instanceof HTMLElement)) return
  element.focus({ preventScroll: true })
  if (element instanceof HTMLInputElement && place.from !== null) element.setSelectionRange(place.from, place.to)
}

function placeOf(active: Element | null, panel: HTMLElement): Place | null {
  if (active === null || !panel.contains(active)) return null
  const href = active.getAttribute('href')
  if (href !== null) return { href }
  const element = [...(panel.querySelector('form')?.elements ?? [])].indexOf(active)
  if (element === -1) return null
  const [from, to] = active instanceof HTMLInputElement ? [active.selectionStart, active.selectionEnd] : [null, null]
  return { element, from, to }
}
