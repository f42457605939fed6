// @vitest-environment jsdom
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { wholeText } from '#tests/support/whole-text.ts'
import { draft, idSent, open, signed } from '#tests/support/rx-screens.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))
afterEach(cleanup)

test('the list shows the prescription in force, and an imported file is shown before it becomes a draft', async () => {
  const { user, calls } = open({
    list: true,
    rx: { ...draft, status: 'active', od: { ...draft.od, sphere: -2250, cylinder: -500, axis: 7 } },
  })
  expect(await screen.findByText('OD -2.25 -0.50 x 007')).toBeTruthy()
  expect(screen.getByText('Active')).toBeTruthy()
  expect(screen.getByText('Current')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Import (FHIR)' }))
  const file = new File(['{"resourceType":"VisionPrescription","lensSpecification":[{"eye":"right","sphere":-1.5}]}'], 'rx.json')
  await user.upload(await screen.findByLabelText('File'), file)
  expect(await screen.findByText('-1.50 SPH')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Create draft' }))
  await waitFor(() => expect(calls.some(({ path, request }) => path === '/api/patient/rx' && 'body' in (request as object))).toBe(true))
})

test('an expired prescription is no longer in force', async () => {
  open({ list: true, rx: { ...draft, status: 'active', issue_date: '2020-01-01', expiry_date: '2022-01-01' } })
  expect(await screen.findByText('Expired on 01/01/2022')).toBeTruthy()
  expect(screen.queryByText('Active')).toBeNull()
})

test('the list marks a withdrawn prescription and says why', async () => {
  const withdrawn = { at: '2026-11-21T10:00:00.000Z', by: 'Iris Lindqvist', reason: 'Refracted again' }
  open({ list: true, rx: { ...signed, status: 'cancelled', withdrawn } })
  expect(await screen.findByText('Canceled')).toBeTruthy()
  expect(screen.getByText(wholeText('By Iris Lindqvist on 11/21/2026: Refracted again'))).toBeTruthy()
  expect(screen.queryByText('Current')).toBeNull()
})

test('the list on the screen says so when the connection is lost', async () => {
  const { connection } = open({ list: true })
  await screen.findByText(/Draft, not signed/)
  expect(screen.queryByText('No connection')).toBeNull()
  act(() => connection.setState({ online: false }))
  expect(screen.getByText('No connection')).toBeTruthy()
})

test('a second press after a lost answer sends the same id, and the next new prescription gets another', async () => {
  const { user, server, calls } = open({ list: true })
  const added = () => calls.filter(({ path, request }) => path === '/api/patient/rx' && 'body' in (request as object)).map(idSent)
  const fresh = await screen.findByRole('button', { name: 'New for glasses' })
  server.reachable = false
  await user.click(fresh)
  await screen.findByText(/NOT SAVED/)
  server.reachable = true
  for (const times of [2, 3]) {
    await user.click(fresh)
    await waitFor(() => expect(added()).toHaveLength(times))
  }
  const [first, again, next] = added()
  expect(again).toBe(first)
  expect(next).not.toBe(first)
})
