// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Outcome } from '#src/api/outcome.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { PatientImportScreen } from './import-screen.tsx'

const scrolled = vi.fn()
beforeEach(() => {
  scrolled.mockClear()
  // jsdom has no layout to scroll in.
  Element.prototype.scrollIntoView = scrolled
})
afterEach(() => {
  cleanup()
  localStorage.clear()
})

const head = 'First,Last,Birthdate,Sex,Lives at,City,State,Zip,Mobile'
const ines = 'Inés,Soto,5/25/1989,F,4 Depot Rd,Millbrook Falls,NY,12847,5185550123'
const otto = 'Otto,Brandt,1971-02-03,M,9 Quarry Ln,Millbrook Falls,NY,12847,5185550124'
const nobody = ',Nameless,1971-02-30,M,9 Quarry Ln,Millbrook Falls,NY,12847,'

type Sent = { rows: { patient: { first_name: string; zip_code?: string } }[]; check_only: boolean }
type Verdict = 'new' | 'imported' | 'already-there' | 'same-person'
const verdicts = (verdict: Verdict, { rows }: Sent): Outcome<unknown> => ({
  ok: true,
  value: { results: rows.map(() => ({ verdict, id_patient: null })) },
})
/** The server's answer for patients who are not on file. */
const taking = (sent: Sent) => verdicts(sent.check_only ? 'new' : 'imported', sent)

function show({ answer = taking, permissions = ['patient.read', 'patient.import'] as typeof mayasHome.permissions } = {}) {
  const server = { answer, sent: [] as Sent[] }
  const { device, state, connection } = screenDevice({
    signedIn: true,
    answers: (_endpoint, request) => {
      const { body } = request as { body: Sent }
      server.sent.push(body)
      return server.answer(body)
    },
  })
  state.setState({ home: { ...mayasHome, permissions } })
  render(
    <DeviceProvider device={device}>
      <PatientImportScreen />
    </DeviceProvider>,
  )
  return { server, connection }
}

const choose = (...rows: string[]) => {
  const file = new File([rows.join('\n')], 'old-system.csv', { type: 'text/csv' })
  fireEvent.change(screen.getByLabelText('CSV file'), { target: { files: [file] } })
}
const press = async (name: string) => {
  const button = await screen.findByRole('button', { name })
  await waitFor(() => expect(button).toHaveProperty('disabled', false))
  fireEvent.click(button)
}

test('every row is checked before anything is written, and a bad row shows its line, field and reason', async () => {
  const { server } = show()
  choose(head, ines, nobody, otto, ines)
  // The file has another name for the street, so the user chooses the column.
  expect(await screen.findByText(/Patients can’t be added without: Street Address/)).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Lives at →'), { target: { value: 'street_address' } })
  await press('Check 4 rows')
  expect(await screen.findByText('2 patients ready to import')).toBeTruthy()
  expect(server.sent.map(({ check_only }) => check_only)).toEqual([true])
  const bad = screen.getByRole('region', { name: '1 row with a problem, skipped' })
  expect(within(bad).getAllByText(/^Line 3/).length).toBeGreaterThan(0)
  expect(bad.textContent).toContain('First Name')
  expect(bad.textContent).toContain('DOB')
  expect(screen.getByRole('region', { name: '1 row duplicated in this file' }).textContent).toContain('Line 5: same as line 2')

  await press('Import 2 patients')
  expect(await screen.findByText('2 patients imported')).toBeTruthy()
  expect(server.sent[1]).toMatchObject({
    check_only: false,
    rows: [{ patient: { first_name: 'Inés' } }, { patient: { first_name: 'Otto' } }],
  })
})

test('ZIPs without their leading zeros are corrected and reported, equal problems appear once, and the result scrolls into view', async () => {
  const { server } = show()
  const of = (name: string, zip: string) => otto.replace('Otto', name).replace('12847', zip)
  choose(head.replace('Lives at', 'Address'), of('Ada', '1013'), of('Bo', '1020'), of('Cleo', 'x'), of('Dan', 'x'), of('Eve', '60123'))
  await press('Check 5 rows')
  expect(await screen.findByText('3 patients ready to import')).toBeTruthy()
  expect(server.sent[0]?.rows.map(({ patient }) => patient.zip_code)).toEqual(['01013', '01020', '60123'])
  const bad = screen.getByRole('region', { name: '2 rows with a problem, skipped' })
  expect(within(bad).getAllByRole('listitem')).toHaveLength(1)
  expect(bad.textContent).toContain('2 rows: ZIP: must be 12345 or 12345-6789')
  expect(bad.textContent).toContain('Lines 4, 5')
  expect(screen.getByRole('region', { name: '2 rows corrected' }).textContent).toContain('2 rows: ZIP: was missing leading zeros')
  await waitFor(() => expect(scrolled).toHaveBeenCalled())
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Result' }))
})

test('the device remembers the columns of a file for the next one like it', async () => {
  show()
  choose(head, ines)
  fireEvent.change(await screen.findByLabelText('Lives at →'), { target: { value: 'street_address' } })
  await press('Check 1 row')
  await screen.findByText('1 patient ready to import')
  cleanup()
  show()
  choose(head, otto)
  expect(await screen.findByLabelText('Lives at →')).toHaveProperty('value', 'street_address')
})

test('a patient who was imported before or is on file is reported and not imported', async () => {
  const { server } = show({ answer: (sent) => verdicts('same-person', sent) })
  choose(head.replace('Lives at', 'Address'), ines, otto)
  await press('Check 2 rows')
  expect(await screen.findByText('0 patients ready to import')).toBeTruthy()
  expect(screen.getByRole('region', { name: '2 rows for patients already on file' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Import 0 patients' })).toHaveProperty('disabled', true)
  server.answer = (sent) => verdicts('already-there', sent)
  await press('Check 2 rows')
  expect(await screen.findByRole('region', { name: '2 rows already on file' })).toBeTruthy()
})

test('when the connection is lost halfway, the result shows the imported rows, and the others can follow', async () => {
  const rows = Array.from({ length: 60 }, (_, nth) => otto.replace('Otto', `Otto ${nth}`).replace('0124', `0${100 + nth}`))
  const { server } = show()
  choose(head.replace('Lives at', 'Address'), ...rows)
  await press('Check 60 rows')
  await screen.findByText('60 patients ready to import')
  server.answer = (sent) => (sent.rows.length === 50 ? taking(sent) : unreachable)
  await press('Import 60 patients')
  expect(await screen.findByText('Couldn’t reach the server')).toBeTruthy()
  expect(screen.getByText('50 patients imported')).toBeTruthy()
  expect(screen.getByText(/with 10 rows not sent/)).toBeTruthy()
})

test('a refusal and an empty file are reported, and without a connection a file can only be chosen', async () => {
  const { server, connection } = show()
  choose('')
  expect(await screen.findByText('This file can’t be imported')).toBeTruthy()
  server.answer = () => refused(403, 'not-permitted')
  choose(head.replace('Lives at', 'Address'), ines)
  await press('Check 1 row')
  expect(await screen.findByText('The server refused these rows')).toBeTruthy()
  connection.setState({ online: false })
  expect(await screen.findByText('No connection')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Check 1 row' })).toHaveProperty('disabled', true)
})

test('the page says that only managers may import', () => {
  show({ permissions: ['patient.read'] })
  expect(screen.getByText('Managers only')).toBeTruthy()
  expect(screen.queryByLabelText('CSV file')).toBeNull()
})
