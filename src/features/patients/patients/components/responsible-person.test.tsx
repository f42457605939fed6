// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState, type ReactNode } from 'react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Endpoint } from '#contract/core/endpoint.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { mayasHome, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { testPatient, testShelf } from '#tests/support/test-patients.ts'
import { ResponsiblePicker, ResponsibleValue } from './responsible-person.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))
afterEach(cleanup)

const child = testPatient(1, { first_name: 'Tom', dob: '2020-05-05' })
const mother = testPatient(2, { first_name: 'Abigail' })
const uncle = testPatient(3, { first_name: 'Rufus', city: 'Elsewhere' })

function show(page: ReactNode, answer: (endpoint: Endpoint) => Outcome<unknown> = () => unreachable) {
  const { device, state } = screenDevice({ signedIn: true, answers: answer })
  state.setState({ home: mayasHome })
  Object.assign(device, { patients: () => Promise.resolve(testShelf([child, mother])) })
  return render(<DeviceProvider device={device}>{page}</DeviceProvider>)
}

function Picker() {
  const [value, setValue] = useState('')
  return (
    <>
      <ResponsiblePicker label="Responsible person" hint="who pays" idPatient={child.id} value={value} onChange={setValue} />
      <output>{value}</output>
    </>
  )
}

const type = (text: string) => fireEvent.change(screen.getByRole('combobox'), { target: { value: text } })

test('without a connection the picker offers the tablet’s other patients, and the choice can be undone', async () => {
  show(<Picker />)
  type('carr')
  const options = await screen.findAllByRole('option')
  expect(options.map(({ textContent }) => textContent)).toEqual(['Abigail Carrow 02/28/1980 · (518) 555-0123 · Larkspur'])
  await userEvent.click(options[0]!)
  expect((await screen.findByRole('status')).textContent).toBe(mother.id)
  fireEvent.click(screen.getByRole('button', { name: 'No one' }))
  expect(screen.getByRole('status').textContent).toBe('')
})

test('the server adds patients who are not on the tablet', async () => {
  show(<Picker />, ({ path }) =>
    path === '/api/home/patient/search' ? { ok: true, value: { patients: [mother, uncle], total: 2, page: 1 } } : unreachable,
  )
  type('carr')
  await userEvent.click(await screen.findByRole('option', { name: /Rufus Carrow/ }))
  expect((await screen.findByRole('status')).textContent).toBe(uncle.id)
  expect(screen.getByText('Rufus Carrow')).toBeTruthy()
})

test('the page shows the person’s name and number with a link, or says that the tablet does not have them', async () => {
  show(
    <>
      <ResponsibleValue id={mother.id} />
      <ResponsibleValue id={uncle.id} />
    </>,
  )
  expect((await screen.findByRole('link', { name: 'Abigail Carrow, (518) 555-0123' })).getAttribute('href')).toBe(`/patient/${mother.id}`)
  expect(screen.getByRole('link', { name: 'Someone not on this tablet' })).toBeTruthy()
})
