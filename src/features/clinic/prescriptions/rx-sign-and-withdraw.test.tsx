// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { readDraft } from '#src/sync/device/drafts.ts'
import { givePatientsKey, mayasHome, screenDevice } from '#tests/support/screen-device.ts'
import { toastStore } from '#src/ui/toast-store.ts'
import { draft, home, idRx, open, powers, signed } from '#tests/support/rx-screens.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))
afterEach(cleanup)

test('a complete prescription is signed with a typed name, and is then read-only', async () => {
  const { user, server } = open()
  await user.type((await powers()).getAllByLabelText('Sphere')[0]!, '-3')
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  expect(screen.getByText('This field is required')).toBeTruthy()
  expect(screen.getByText('Some fields are missing or incorrect: OS Sphere.')).toBeTruthy()
  const second = (await powers()).getAllByLabelText('Sphere')[1]!
  await waitFor(() => expect(document.activeElement).toBe(second))
  await user.type(second, '-3')
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Sign' }))
  expect(dialog.getByRole('alert').textContent).toContain('Sign in the field or type your name.')
  expect(dialog.getByRole('region', { name: 'Powers to sign' }).textContent).toContain('-3.00')
  const own = dialog.getByLabelText('Or type your full name')
  await user.type(own, 'Bugs Bunny')
  await user.click(dialog.getByRole('button', { name: 'Sign' }))
  expect(dialog.getByText('That’s not your name. Type Maya Okafor or sign in the field.')).toBeTruthy()
  expect(server.sent).toEqual([])
  await user.clear(own)
  await user.type(own, 'maya okafor')
  await user.click(dialog.getByRole('button', { name: 'Sign' }))
  expect(await screen.findByRole('heading', { name: 'Active' })).toBeTruthy()
  expect(server.sent[0]?.body['signature']).toEqual({ kind: 'typed', name: 'maya okafor' })
  expect(screen.queryByRole('button', { name: 'Save draft' })).toBeNull()
})

test('the name typed to sign is back after a reload, the drawing is not, and signing deletes both', async () => {
  const whole = { ...draft, od: { ...draft.od, sphere: -3000 }, os: { ...draft.os, sphere: -3000 } }
  const { user, hot, unmount } = open({ rx: whole })
  await givePatientsKey(hot, home)
  const begun = () => hot.facts.where('key').startsWith('draft ').count()
  await powers()
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  const dialog = within(await screen.findByRole('dialog'))
  const pad = dialog.getByRole('img', { name: 'Sign here' })
  pad.getBoundingClientRect = () => new DOMRect(0, 0, 500, 150)
  pad.setPointerCapture = () => undefined
  fireEvent.pointerDown(pad, { clientX: 60, clientY: 70, pointerId: 1 })
  await user.click(dialog.getByRole('button', { name: 'Clear' }))
  await user.type(dialog.getByLabelText('Or type your full name'), 'Maya Okafor')
  const reader = Object.assign(screenDevice({ signedIn: true }).device, { hot })
  await waitFor(async () => expect(await readDraft(reader, `patient: rx signature ${idRx}`)).toEqual({ name: 'Maya Okafor' }))
  expect(await begun()).toBe(1)
  unmount()
  const again = open({ rx: whole, hot })
  await powers()
  await again.user.click(screen.getByRole('button', { name: 'Sign' }))
  expect((await screen.findByLabelText<HTMLInputElement>('Or type your full name')).value).toBe('Maya Okafor')
  await again.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Sign' }))
  expect(await screen.findByRole('heading', { name: 'Active' })).toBeTruthy()
  await waitFor(async () => expect(await begun()).toBe(0))
})

test('a prescription that was signed though the answer was lost is shown as signed', async () => {
  const { user, server } = open({ rx: { ...draft, provider_id: mayasHome.id_user } })
  await powers()
  server.signedMeanwhile = {
    status: 'active',
    signature: { kind: 'typed', name: 'Maya' },
    signed_by: 'Maya Okonjo',
    signed_at: draft.created_at,
  }
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save draft' })).toBeNull())
  expect(toastStore.getState().toast?.title).toBe('Already signed')
  expect(screen.getAllByText(/Maya Okonjo/).length).toBeGreaterThan(0)
})

test('the clinic’s own prescription shows its prescriber’s numbers and the missing ones before signing; an outside one has its own fields', async () => {
  const { user } = open({ rx: { ...draft, od: { ...draft.od, sphere: 0 }, os: { ...draft.os, sphere: 0 } } })
  await powers()
  const missing = /^Missing for\s*: NPI\. A manager can add it in Settings, Optical\.$/
  expect(await screen.findByText('License OPT-7')).toBeTruthy()
  expect(screen.getByText(missing).textContent).toBe('Missing for Maya Okonjo: NPI. A manager can add it in Settings, Optical.')
  expect(screen.queryByLabelText('License number')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  expect(within(await screen.findByRole('dialog')).getByText(missing)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('checkbox', { name: /^From an outside provider/ }))
  expect(screen.getByLabelText('License number')).toBeTruthy()
  expect(screen.queryByText(missing)).toBeNull()
})

test('a doctor withdraws a signed prescription with a reason, and the page says who, when and why', async () => {
  const { user, calls } = open({ rx: signed })
  await user.click(await screen.findByRole('button', { name: 'Withdraw' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/No earlier one replaces it/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Withdraw' }))
  expect(dialog.getByText('Choose one')).toBeTruthy()
  expect(dialog.getByText('This field is required')).toBeTruthy()
  await user.click(dialog.getByRole('radio', { name: /^It was entered in error/ }))
  await user.type(dialog.getByLabelText(/^Reason/), 'The values of someone else')
  await user.click(dialog.getByRole('button', { name: 'Withdraw' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Entered in error. Do not use it.By Iris Lindqvist on 11/20/2026: The values of someone else',
  )
  const sent = calls.find(({ path }) => path.endsWith('/withdraw'))
  expect(sent?.request).toMatchObject({ body: { status: 'entered_in_error', reason: 'The values of someone else', version: 1 } })
  expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull()
})

test('without an answer nothing is withdrawn, and the typed reason stays', async () => {
  const { user, server } = open({ rx: signed })
  await user.click(await screen.findByRole('button', { name: 'Withdraw' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('radio', { name: /^Cancel it/ }))
  await user.type(dialog.getByLabelText(/^Reason/), 'Refracted again')
  server.reachable = false
  await user.click(dialog.getByRole('button', { name: 'Withdraw' }))
  expect((await dialog.findByRole('alert')).textContent).toContain('NOT WITHDRAWN')
  expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('Refracted again')
})

test('the reason for withdrawing is back after a reload, until the user keeps the prescription', async () => {
  const { user, hot, unmount } = open({ rx: signed })
  await givePatientsKey(hot, home)
  await user.click(await screen.findByRole('button', { name: 'Withdraw' }))
  await user.click(await screen.findByRole('radio', { name: /^It was entered in error/ }))
  await user.type(screen.getByLabelText(/^Reason/), 'The wrong patient')
  unmount()
  const again = open({ rx: signed, hot })
  await again.user.click(await screen.findByRole('button', { name: 'Withdraw' }))
  expect((await screen.findByLabelText<HTMLTextAreaElement>(/^Reason/)).value).toBe('The wrong patient')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /^It was entered in error/ }).checked).toBe(true)
  await again.user.click(screen.getByRole('button', { name: 'Keep it' }))
  await waitFor(async () => expect(await hot.facts.where('key').startsWith('draft ').count()).toBe(0))
})

test('a user who is not a provider cannot withdraw, and a draft cannot be withdrawn', async () => {
  open({ rx: signed, home: { ...home, permissions: ['patient.read', 'rx.enter'] } })
  await screen.findByRole('heading', { name: 'Active' })
  expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull()
  cleanup()
  open()
  await powers()
  expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull()
})
