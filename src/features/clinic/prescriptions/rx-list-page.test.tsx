// @vitest-environment jsdom
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { wholeText } from '#tests/support/whole-text.ts'
import { draft, idSent, open, powers, signed } from '#tests/support/rx-screens.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))
afterEach(cleanup)

test('the list shows the prescription in force, and an imported file is shown before it becomes a draft', async () => {
  const { user, calls } = open({
    list: true,
    rx: { ...draft, status: 'active', od: { ...draft.od, sphere: -2250, cylinder: -500, axis: 7 } },
  })
  const [entry] = await screen.findAllByRole('listitem')
  expect(entry?.textContent).toContain('OD-2.25-0.50007')
  expect(screen.getByText('Active')).toBeTruthy()
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
  expect(screen.queryByText('Active')).toBeNull()
})

test('the list on the screen says so when the connection is lost', async () => {
  const { connection } = open({ list: true })
  await screen.findByText(/Draft, not signed/)
  expect(screen.queryByText('No connection')).toBeNull()
  act(() => connection.setState({ online: false }))
  expect(screen.getByText('No connection')).toBeTruthy()
})

test('a new prescription is at the server from its first save on, and once when an answer is lost', async () => {
  const { user, server, calls } = open({ newKind: 'spectacle' })
  const added = () => calls.filter(({ path, request }) => path === '/api/patient/rx' && 'body' in (request as object)).map(idSent)
  await user.type((await powers()).getAllByLabelText('Sphere')[0]!, '-3')
  expect(added()).toEqual([])
  server.reachable = false
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await screen.findByText(/NOT SAVED/)
  server.reachable = true
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(added()).toHaveLength(2))
  const [first, again] = added()
  expect(again).toBe(first)
})
