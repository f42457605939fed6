import { searchPanelId } from './model/search-panel-id.ts'

/** The form of the search panel that stands in the page itself, before the app's code has come. */
export const printedForm = `[data-printed] #${searchPanelId} form`

/** The button that was pressed last in the panel, by its place among the elements of the form. */
const pressedKey = 'pressed'

/** Keeps which button was pressed before there was anything to press it for, and the browser from sending the form away. */
export function keepPresses(): void {
  document.addEventListener('submit', (event) => {
    const form = printedAround(event.target)
    if (form === null) return
    event.preventDefault()
    keep(form, event.submitter ?? form.querySelector('[type=submit]'))
  })
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    const form = printedAround(button)
    // That of the search is heard as its form is sent.
    if (form !== null && button?.type === 'button') keep(form, button)
  })
}

function printedAround(target: EventTarget | null): HTMLFormElement | null {
  return target instanceof Element ? target.closest<HTMLFormElement>(printedForm) : null
}

function keep(form: HTMLFormElement, button: Element | null): void {
  form.dataset[pressedKey] = String([...form.elements].findIndex((element) => element === button))
}

/** Where among the elements of the form the button is that was pressed last; null when none was. */
export function pressedIn(form: HTMLFormElement): number | null {
  const place = form.dataset[pressedKey]
  return place === undefined ? null : Number(place)
}
