import { firstFields, typedIn } from './first-fields.ts'
import { placeIn, putKeyboard } from './model/focus-handover.ts'
import { pressedIn, printedForm } from './printed-presses.ts'
import { searchStore, seek } from './store.ts'

/** What showed before any code had come; null when nothing did, or once it has been taken over. */
let printed = findPrinted()

type Printed = { form: HTMLFormElement; focused: Element | null }

function findPrinted(): Printed | null {
  const form = typeof document === 'undefined' ? null : document.querySelector<HTMLFormElement>(printedForm)
  if (form === null) return null
  const panel = form.closest('section') ?? form
  const found: Printed = { form, focused: panel.contains(document.activeElement) ? document.activeElement : null }
  panel.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) found.focused = target
  })
  // As it goes it loses the focus to nothing.
  panel.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null) found.focused = null
  })
  // Whoever takes it over does so in the step in which it goes. Later there may be somebody else.
  const watch = new MutationObserver(() => {
    if (form.isConnected) return
    watch.disconnect()
    printed = null
  })
  watch.observe(document, { subtree: true, childList: true })
  return found
}

/** Looks for what has been typed so far, so that who is found shows with the panel itself. */
export function readPrinted(): void {
  if (printed === null) return
  const typed = typedIn(printed.form)
  const { criteria } = searchStore.getState()
  if (firstFields.some((field) => typed[field] !== (criteria[field] ?? ''))) seek({ ...criteria, ...typed })
}

/** What was typed and pressed goes on in the panel that takes the place of the printed one, and so does the keyboard. */
export function takePrinted(panel: HTMLElement): void {
  if (printed === null) return
  readPrinted()
  const { form, focused } = printed
  printed = null
  const place = focused && placeIn(form, focused)
  if (place) putKeyboard(panel, place)
  const pressed = pressedIn(form)
  // When the panel has drawn what was typed.
  queueMicrotask(() => {
    if (place) putKeyboard(panel, place)
    const button = pressed === null ? null : panel.querySelector('form')?.elements[pressed]
    if (button instanceof HTMLElement) button.click()
  })
}
