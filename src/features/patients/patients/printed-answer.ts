import type { Patient } from '#contract/patients/patient.ts'
import { isEmptyQuery, readableOf, readCriteria } from '#contract/patients/patient-search.ts'
import type { PatientMirror } from '#src/db/mirrors/patient-mirror.ts'
import { longestShownMs } from '#src/sync/session/first-look.ts'
import { typedIn } from './first-fields.ts'
import { listedAtOnce, patientLine } from './model/patient-line.ts'
import { printedForm } from './printed-presses.ts'

/**
 * Answers the search that stands in the page itself, until the app's panel takes its place: whoever types finds somebody while React is on
 * its way. The rows are copies of one that React drew when the app was built (src/start/printed-desk.tsx).
 * @param today `YYYY-MM-DD`
 * @returns when the first who are read can be found, or at once where no such search stands
 */
export async function answerPrinted(mirror: PatientMirror, today: string): Promise<void> {
  const form = document.querySelector<HTMLFormElement>(printedForm)
  const model = document.querySelector<HTMLTemplateElement>('[data-printed] template')?.content.firstElementChild
  if (!form || !model) return

  const over = new AbortController()
  const put = (...found: Element[]) => form.nextElementSibling?.replaceChildren(...found)
  const show = () => {
    const query = readCriteria(readableOf(typedIn(form)))
    const rows = isEmptyQuery(query) ? [] : mirror.search(query, listedAtOnce, today)
    put(...(rows.length > 0 ? [listOf(model, rows, today)] : []))
  }
  form.addEventListener('input', show, { signal: over.signal })
  setTimeout(() => {
    over.abort()
    put()
  }, longestShownMs)

  const readOn = async () => {
    await mirror.moreRead()
    if (!over.signal.aborted) show()
  }
  const readAll = async () => {
    while (form.isConnected && !over.signal.aborted && !mirror.isReady()) await readOn()
  }
  await readOn()
  // Whoever takes the place of this reads on, and hears what became of it.
  readAll().catch(() => undefined)
}

function listOf(model: Element, rows: readonly Patient[], today: string): Element {
  const list = copyOf(model)
  const line = partOf(list, 'li')
  line.replaceWith(...rows.map((row) => filled(copyOf(line), row, today)))
  return list
}

function filled(line: Element, row: Patient, today: string): Element {
  const { name, priority, details, number } = patientLine(row, today)
  partOf(line, 'a').setAttribute('href', `/patient/${row.id}`)
  const part = (called: string) => partOf(line, `[data-part=${called}]`)
  part('name').textContent = name
  part('details').textContent = details
  part('priority').textContent = priority
  part('number').textContent = number
  if (number === null) part('number').remove()
  // What says it stands in a badge.
  if (priority === null) part('priority').parentElement?.remove()
  if (!row.inactive) part('inactive').parentElement?.remove()
  return line
}

/** @throws Error when what React drew has no such part: a test fails then */
function partOf(whole: Element, selector: string): Element {
  const part = whole.querySelector(selector)
  if (part === null) throw new Error(`A printed list of patients has no ${selector}`)
  return part
}

function copyOf(element: Element): Element {
  return document.importNode(element, true)
}
