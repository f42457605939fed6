// @vitest-environment jsdom
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import type { Patient } from '#contract/patients/patient.ts'
import type { PatientMirror } from '#src/db/mirrors/patient-mirror.ts'
import { printDesk } from '#src/start/printed-desk.tsx'
import { PatientsFound } from './components/search-panel.tsx'
import { answerPrinted } from './printed-answer.ts'

const today = '2026-11-24'
const patientOf = (row: Partial<Patient>) =>
  ({
    id: 'p1',
    first_name: 'Bảo',
    middle_name: null,
    last_name: 'Nguyễn',
    pref: null,
    dob: '1970-03-02',
    phone: '5185550121',
    city: 'Troy',
    priority: 'normal',
    inactive: false,
    patient_no: 17,
    ...row,
  }) as Patient

const people = [
  patientOf({}),
  patientOf({ id: 'p2', first_name: '<b>Kim</b>', last_name: null, dob: null, phone: null, city: '', patient_no: null }),
  patientOf({ id: 'p3', pref: 'Abby', priority: 'vip', inactive: true }),
  patientOf({ id: 'p4', priority: 'urgent' }),
]

/** A mirror that is read in two steps. */
function mirrorOf(rows: Patient[]) {
  let read = () => {}
  let isReady = false
  const search = vi.fn((_query: unknown, limit: number) => rows.slice(0, limit))
  const mirror = { search, isReady: () => isReady, moreRead: () => new Promise<void>((resolve) => (read = resolve)) }
  const readOn = async (ready: boolean) => {
    isReady = ready
    read()
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { mirror: mirror as unknown as PatientMirror, search, readOn }
}

const name = () => document.querySelectorAll('input')[0]!
function type(text: string) {
  name().value = text
  name().dispatchEvent(new Event('input', { bubbles: true }))
}
const list = () => document.querySelector('ul[aria-label="Patients found"]')

function openPage() {
  document.body.innerHTML = `<div id="app">${printDesk()}</div>`
}

afterEach(() => vi.useRealTimers())

test('who is found stands there as the app draws them, whatever their names are made of', () => {
  openPage()
  void answerPrinted(mirrorOf(people).mirror, today)
  type('n')
  const Link = ({ id, className, children }: { id: string; className: string; children: React.ReactNode }) => (
    <a href={`/patient/${id}`} className={className}>
      {children}
    </a>
  )
  const drawn = document.createElement('div')
  drawn.innerHTML = renderToStaticMarkup(<PatientsFound rows={people} today={today} Link={Link} />)
  expect(list()?.parentElement?.isEqualNode(drawn.firstElementChild)).toBe(true)
  expect(list()?.textContent).toContain('<b>Kim</b>')
})

test('nobody stands there while nothing is looked for, and half a date narrows nothing', () => {
  openPage()
  const { mirror, search } = mirrorOf(people)
  void answerPrinted(mirror, today)
  expect(list()).toBeNull()
  type('ngu')
  const [, , dob] = document.querySelectorAll('input')
  dob!.value = '3/'
  type('nguy')
  expect(search).toHaveBeenLastCalledWith(expect.objectContaining({ words: ['nguy'], dob: null }), 20, today)
  expect(list()?.children).toHaveLength(4)
  type('')
  dob!.value = ''
  type('')
  expect(list()).toBeNull()
})

test('what was typed before is answered with the first who are read, and anew with those who follow', async () => {
  openPage()
  name().value = 'ngu'
  const { mirror, search, readOn } = mirrorOf([])
  const first = answerPrinted(mirror, today)
  search.mockReturnValue([people[0]!])
  await readOn(false)
  await first
  expect(list()?.children).toHaveLength(1)
  search.mockReturnValue(people)
  await readOn(true)
  expect(list()?.children).toHaveLength(4)
})

test('where the app does not come nobody is shown for long, however late they are read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  openPage()
  const { mirror, readOn } = mirrorOf(people)
  void answerPrinted(mirror, today)
  type('ngu')
  expect(list()).not.toBeNull()
  vi.advanceTimersByTime(10_000)
  expect(list()).toBeNull()
  type('nguy')
  expect(list()).toBeNull()
  vi.useRealTimers()
  await readOn(false)
  expect(list()).toBeNull()
})

test('a page without the search is left as it is', async () => {
  document.body.innerHTML = '<div id="app"></div>'
  const { mirror, search } = mirrorOf(people)
  await answerPrinted(mirror, today)
  expect(search).not.toHaveBeenCalled()
})
