import type { Patient } from '#contract/patient.ts'
import { isEmptyQuery, readableOf, readCriteria } from '#contract/patient-search.ts'
import type { PatientMirror } from '#src/db/patient-mirror.ts'
import { patientLine } from './patient-line.ts'
import { printedForm } from './printed-presses.ts'
import { firstFields } from './search-panel-id.ts'

const shownAtOnce = 20
/** By then the app has come, which locks a tablet that is left alone. */
const longestShownMs = 10_000

/**
 * Answers the search that stands in the page itself, until the app's panel takes its place: whoever types finds somebody while React is on
 * its way. The rows are copies of one that React drew when the app was built (src/printed-desk.tsx).
 * @param today `YYYY-MM-DD`
 * @returns when the first who are read can be found
 */
export async function answerPrinted(mirror: PatientMirror, today: string): Promise<void> {
  const form = document.querySelector<HTMLFormElement>(printedForm)
  const place = form?.nextElementSibling
  const model = document.querySelector<HTMLTemplateElement>('[data-printed] template')?.content.firstElementChild
  if (!form || !place || !model) return
  const inputs = form.querySelectorAll('input')

  function show() {
    const typed = Object.fromEntries(firstFields.map((field, at) => [field, inputs[at]?.value ?? '']))
    const query = readCriteria(readableOf(typed))
    const rows = isEmptyQuery(query) ? [] : mirror.search(query, shownAtOnce, today)
    place!.replaceChildren(...(rows.length === 0 ? [] : [listOf(model!, rows, today)]))
  }
  const leave = () => {
    form.removeEventListener('input', show)
    place.replaceChildren()
  }
  form.addEventListener('input', show)
  setTimeout(leave, longestShownMs)
  const readOn = async () => {
    await mirror.moreRead()
    show()
  }
  await readOn()
  async function readAll() {
    while (form!.isConnected && !mirror.isReady()) await readOn()
  }
  // Whoever takes the place of this reads on, and hears what became of it.
  readAll().catch(() => undefined)
}

function listOf(model: Element, rows: readonly Patient[], today: string): Element {
  const whole = model.cloneNode(true) as Element
  const list = whole.querySelector('ul')!
  const line = list.firstElementChild!
  list.replaceChildren(...rows.map((row) => fill(line.cloneNode(true) as Element, row, today)))
  return whole
}

function fill(line: Element, row: Patient, today: string): Element {
  const { name, priority, details, number } = patientLine(row, today)
  const part = (called: string) => line.querySelector(`[data-part=${called}]`)
  line.querySelector('a')?.setAttribute('href', `/patient/${row.id}`)
  const texts = { name, details, priority, number }
  for (const [called, text] of Object.entries(texts)) if (text !== null) part(called)!.textContent = text
  if (number === null) part('number')!.remove()
  // What says it stands in a badge.
  if (priority === null) part('priority')!.parentElement?.remove()
  if (!row.inactive) part('inactive')!.parentElement?.remove()
  return line
}
