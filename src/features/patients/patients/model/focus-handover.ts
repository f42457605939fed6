/** Where the keyboard is: in a field or at a button of the form, or at one of those who were found. */
export type KeyboardPlace = { element: number; from: number | null; to: number | null } | { href: string }

/** Of a panel that goes, for the one that takes its place in the same moment. */
let given: KeyboardPlace | null = null

/** Notes where the keyboard is in a panel that is about to go. */
export function giveFocusOn(panel: HTMLElement): void {
  const { activeElement } = document
  given = activeElement !== null && panel.contains(activeElement) ? placeIn(panel, activeElement) : null
  // Nobody takes it who comes later.
  queueMicrotask(() => (given = null))
}

/** Puts the keyboard where it was in the panel that stood here before. */
export function takeFocusOver(panel: HTMLElement): void {
  if (given === null) return
  const place = given
  given = null
  putKeyboard(panel, place)
}

/** Where an element with the keyboard stands in a panel, or in its form. */
export function placeIn(panel: HTMLElement, active: Element): KeyboardPlace | null {
  const href = active.getAttribute('href')
  if (href !== null) return { href }
  const form = panel.closest('form') ?? panel.querySelector('form')
  const element = [...(form?.elements ?? [])].indexOf(active)
  if (element === -1) return null
  const [from, to] = active instanceof HTMLInputElement ? [active.selectionStart, active.selectionEnd] : [null, null]
  return { element, from, to }
}

export function putKeyboard(panel: HTMLElement, place: KeyboardPlace): void {
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
