// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { type Appointment, appointmentPageSize } from '#contract/calendar/appointments.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { AppointmentListTab } from './appointment-list.tsx'
import { NextAppointment } from './next-appointment.tsx'

afterEach(cleanup)

const idPatient = '0198c2f4-0000-7000-8000-000000000007'
function appointment(nth: number, more: Partial<Appointment> = {}): Appointment {
  return {
    id_appointment: `0198c2f4-0000-7000-8000-${String(nth).padStart(12, '0')}`,
    store_id: 1,
    store_name: 'Harbour Street',
    provider_name: 'Iris Lindqvist',
    start_at: '2020-01-15T15:00:00.000Z',
    duration_min: 40,
    type: 'Comprehensive exam',
    status: 'coded',
    reason: '',
    ...more,
  }
}
const near = appointment(1, { start_at: '2999-01-15T15:00:00.000Z', status: 'confirmed', type: 'Recheck', reason: 'Headaches' })
const far = appointment(2, { start_at: '2999-06-15T15:00:00.000Z', status: 'booked', type: 'Dilated exam' })
const gone = appointment(3, { start_at: '2999-06-16T15:00:00.000Z', status: 'cancelled' })
const past = appointment(4, { status: 'no_show', provider_name: null })

type Answer = (page: string) => Outcome<unknown>
function open(answer: Answer, options: { permissions?: Permission[]; head?: boolean } = {}) {
  const server = { answer }
  const made = screenDevice({
    signedIn: true,
    answers: (_endpoint, request) => server.answer((request as { query: { page: string } }).query.page),
  })
  made.state.setState({ home: { ...mayasHome, permissions: options.permissions ?? ['appointment.read'] } })
  render(
    <DeviceProvider device={made.device}>
      {options.head ? <NextAppointment idPatient={idPatient} /> : <AppointmentListTab idPatient={idPatient} />}
    </DeviceProvider>,
  )
  return server
}
const listOf = (appointments: Appointment[], total = appointments.length): Outcome<unknown> => ({
  ok: true,
  value: { appointments, total, page: 1, next: appointments.includes(near) ? near : null },
})
const rowsOf = async (group: string) =>
  within(await screen.findByRole('region', { name: group }))
    .getAllByRole('heading', { level: 3 })
    .map((heading) => heading.textContent)

test('upcoming appointments come first, the nearest on top; a canceled one is not upcoming', async () => {
  open(() => listOf([gone, far, near, past]))
  expect(await rowsOf('Upcoming')).toEqual([expect.stringContaining('Recheck'), expect.stringContaining('Dilated exam')])
  expect(await rowsOf('Past')).toHaveLength(2)
  expect(screen.getByText('Confirmed')).toBeTruthy()
  expect(screen.getByText('No-show')).toBeTruthy()
  expect(screen.getByText('Headaches')).toBeTruthy()
  expect(screen.getByText('Harbour Street · 40 minutes')).toBeTruthy()
})

test('a button loads older appointments', async () => {
  const all = Array.from({ length: appointmentPageSize + 1 }, (_, nth) => appointment(nth + 10))
  open((page) => listOf(all.slice((Number(page) - 1) * appointmentPageSize, Number(page) * appointmentPageSize), all.length))
  fireEvent.click(await screen.findByRole('button', { name: 'Show older, 1 appointment' }))
  expect(await rowsOf('Past, page 2')).toHaveLength(1)
  expect(screen.queryByRole('button', { name: /Show older/ })).toBeNull()
})

test('the tab says when there are none, no answer, a refusal or no permission', async () => {
  const server = open(() => unreachable)
  expect(await screen.findByText('Appointments are available online.')).toBeTruthy()
  server.answer = () => listOf([])
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No appointments yet')).toBeTruthy()
  cleanup()
  open(() => refused(403, 'patient-of-other-store'))
  expect(await screen.findByText('Couldn’t load this')).toBeTruthy()
  cleanup()
  open(() => listOf([near]), { permissions: [] })
  expect(screen.getByText('You don’t have access to appointments')).toBeTruthy()
})

test('the head of the page shows the next appointment or None, and nothing until the server has answered', async () => {
  open(() => listOf([near]), { head: true })
  expect(await screen.findByText(/^01\/15\/2999.*, Recheck$/)).toBeTruthy()
  cleanup()
  open(() => listOf([past]), { head: true })
  expect(await screen.findByText('None')).toBeTruthy()
  cleanup()
  open(() => unreachable, { head: true })
  expect(screen.queryByText('Next appointment')).toBeNull()
})
