// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import type { Permission } from '#contract/core/roles.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { PatientShelf } from '#src/sync/device/device.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { givePatientsKey, mayasHome, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { shownForS, SsnValue } from './ssn-value.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const idPatient = '0198c2f4-0000-7000-8000-000000000001'

function show(options: { permissions?: Permission[]; answer?: Outcome<unknown> } = {}) {
  let answer = options.answer ?? { ok: true, value: { ssn: '123456789' } }
  const made = screenDevice({ signedIn: true, answers: () => answer })
  made.state.setState({ home: { ...mayasHome, permissions: options.permissions ?? ['patient.read', 'patient.reveal-ssn'] } })
  const draw = () =>
    render(
      <DeviceProvider device={made.device}>
        <SsnValue idPatient={idPatient} masked="•••-••-6789" />
      </DeviceProvider>,
    )
  draw()
  return { ...made, show: draw, answerWith: (next: Outcome<unknown>) => (answer = next) }
}

const open = () => fireEvent.click(screen.getByRole('button', { name: /^Show/ }))
async function reveal(reason = 'insurance claim') {
  open()
  fireEvent.change(await screen.findByLabelText(/^Reason/), { target: { value: reason } })
  fireEvent.click(screen.getByRole('button', { name: 'Show' }))
}

test('the SSN is masked, and a user without the right gets no button', () => {
  show({ permissions: ['patient.read'] })
  expect(screen.getByText('•••-••-6789')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('with a reason the SSN shows, and hides after some seconds', async () => {
  const { calls, hot } = show()
  await reveal('')
  expect(await screen.findByText('This field is required')).toBeTruthy()
  expect(calls).toEqual([])
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: ' insurance claim ' } })
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
  fireEvent.click(screen.getByRole('button', { name: 'Show' }))
  expect(await screen.findByText('123-45-6789')).toBeTruthy()
  expect(calls).toEqual([{ path: '/api/patient/{id}/ssn', request: { params: { id: idPatient }, body: { reason: 'insurance claim' } } }])
  expect(JSON.stringify([localStorage, sessionStorage, await hot.facts.toArray()])).not.toContain('123456789')
  for (let second = 0; second < shownForS; second += 1) act(() => void vi.advanceTimersByTime(1000))
  expect(screen.queryByText('123-45-6789')).toBeNull()
  expect(screen.getByText('•••-••-6789')).toBeTruthy()
})

test('the SSN hides at once on Hide, or when the tablet goes to the background', async () => {
  show()
  await reveal()
  fireEvent.click(await screen.findByRole('button', { name: /^Hide/ }))
  expect(screen.queryByText('123-45-6789')).toBeNull()
  await reveal()
  await screen.findByText('123-45-6789')
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(screen.queryByText('123-45-6789')).toBeNull()
  hidden.mockRestore()
})

test('the typed reason survives a reload, and is gone once the SSN shows', async () => {
  const made = show({ answer: unreachable })
  const shelf = { state: createStore(() => ({ status: 'locked', turn: 0 })) } as unknown as PatientShelf
  Object.assign(made.device, { patients: () => Promise.resolve(shelf) })
  await givePatientsKey(made.hot, mayasHome)
  const kept = () => made.hot.facts.where('key').startsWith('draft ').count()
  await reveal('insurance claim')
  await screen.findByText('Couldn’t reach the server. Try again.')
  await expect.poll(kept).toBe(1)
  cleanup()
  made.show()
  open()
  expect((await screen.findByLabelText<HTMLInputElement>(/^Reason/)).value).toBe('insurance claim')
  made.answerWith({ ok: true, value: { ssn: '123456789' } })
  fireEvent.click(screen.getByRole('button', { name: 'Show' }))
  await screen.findByText('123-45-6789')
  await expect.poll(kept).toBe(0)
})

test('without an answer it says so, and offline there is no button', async () => {
  const { connection } = show({ answer: unreachable })
  await reveal()
  expect(await screen.findByText('Couldn’t reach the server. Try again.')).toBeTruthy()
  fireEvent.click(screen.getAllByRole('button', { name: 'Close' })[0]!)
  act(() => connection.setState({ online: false }))
  expect(await screen.findByText('available online')).toBeTruthy()
})
