// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { type StoreOpticalSettings, usualOpticalSettings } from '#contract/settings/settings.ts'
import { givePatientsKey } from '#tests/support/screen-device.ts'
import { draft, home, idRx, open, powers, signed } from '#tests/support/rx-screens.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))
afterEach(cleanup)

test('powers are typed as opticians type, Tab goes from field to field and eye to eye, and thousandths are saved', async () => {
  const { user, server } = open()
  const first = (await powers()).getAllByLabelText('Sphere')[0]!
  await user.click(first)
  for (const text of ['-225', '.75', '7', '2', 'pl']) {
    await user.keyboard(text)
    await user.tab()
  }
  expect((first as HTMLInputElement).value).toBe('-2.25')
  expect(screen.getByText(/Spherical equivalent: OD -2\.625, OS Plano/)).toBeTruthy()
  expect(screen.getByText('OD: Add entered, but lens type is single vision')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({
    id_rx: idRx,
    version: 1,
    rx: { od: { sphere: -2250, cylinder: -750, axis: 7, add: 2000 }, os: { sphere: 0, cylinder: null } },
  })
})

test('Enter and the arrow keys lead to the other eye, and on to the next column', async () => {
  const { user } = open()
  const [right, left] = (await powers()).getAllByLabelText('Sphere')
  await user.click(right!)
  await user.keyboard('-1{Enter}')
  expect(document.activeElement).toBe(left)
  await user.keyboard('0{Enter}')
  expect((left as HTMLInputElement).value).toBe('Plano')
  expect(document.activeElement).toBe((await powers()).getAllByLabelText('Cylinder')[0])
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe((await powers()).getAllByLabelText('Cylinder')[1])
  await user.keyboard('{ArrowUp}')
  expect(document.activeElement).toBe((await powers()).getAllByLabelText('Cylinder')[0])
})

test('a line says while a user types what a signature still needs', async () => {
  const { user } = open({ rx: { ...draft, exam_date: null, issue_date: null, expiry_date: null } })
  await user.type((await powers()).getAllByLabelText('Sphere')[0]!, '-2')
  await user.type((await powers()).getAllByLabelText('Sphere')[1]!, '-2')
  await user.type((await powers()).getAllByLabelText('Cylinder')[0]!, '-1')
  expect(screen.getByText('Before signing: Exam date, Issue date, Expires, OD Axis')).toBeTruthy()
  await user.type((await powers()).getAllByLabelText('Axis')[0]!, '90')
  await user.type(screen.getByLabelText('Exam date'), '2026-11-20')
  expect(screen.getByLabelText<HTMLInputElement>('Issue date').value).toBe('2026-11-20')
  expect(screen.getByText('Ready to sign')).toBeTruthy()
})

test('a value between two steps offers both, and copying and transposing change the fields', async () => {
  const { user } = open()
  const [right, left] = (await powers()).getAllByLabelText<HTMLInputElement>('Sphere')
  await user.type(right!, '+2.10')
  await user.tab()
  expect((await powers()).getByText('must be +2.00 or +2.25')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Use +2.00' }))
  await user.keyboard('{Tab}')
  await user.type((await powers()).getAllByLabelText('Cylinder')[0]!, '1.5')
  await user.type((await powers()).getAllByLabelText('Axis')[0]!, '30')
  await user.click((await powers()).getByRole('button', { name: 'Copy OD to OS' }))
  expect(left?.value).toBe('+2.00')
  await user.click(screen.getByRole('button', { name: 'Transpose' }))
  const values = ['Sphere', 'Cylinder', 'Axis'].map((label) => screen.getAllByLabelText<HTMLInputElement>(label)[1]?.value)
  expect(values).toEqual(['+0.50', '+1.50', '120'])
})

test('without a connection nothing is called saved, and the typed values are back after a reload, for their author only', async () => {
  const { user, server, unmount, hot } = open()
  await givePatientsKey(hot, home)
  await user.type((await powers()).getAllByLabelText('Sphere')[0]!, '-3')
  server.reachable = false
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  expect((await screen.findByRole('alert')).textContent).toContain('NOT SAVED. You need a connection to save and sign.')
  unmount()
  const again = open({ hot })
  expect(await screen.findByText('We restored your unsaved changes')).toBeTruthy()
  expect(screen.getAllByLabelText<HTMLInputElement>('Sphere')[0]?.value).toMatch(/^-3/)
  await again.user.click(screen.getByRole('button', { name: 'Revert to saved' }))
  expect(screen.getAllByLabelText<HTMLInputElement>('Sphere')[0]?.value).toBe('')
})

test('a tablet that cannot keep typed values says so', async () => {
  const { user } = open()
  await user.type((await powers()).getAllByLabelText('Sphere')[0]!, '-3')
  expect(await screen.findByText('This device can’t keep what you type')).toBeTruthy()
})

test('the calculators start with the powers of an eye, work by keyboard, and show the result', async () => {
  const { user } = open({
    rx: { ...signed, od: { ...signed.od, sphere: -8000 }, os: { ...signed.os, sphere: -2000, cylinder: -1000, axis: 90 } },
  })
  ;(await screen.findByRole('button', { name: 'Calculators' })).focus()
  await user.keyboard('{Enter}')
  const dialog = within(await screen.findByRole('dialog'))
  const resultOf = (name: RegExp) => within(dialog.getByRole('region', { name })).getByRole('status').textContent
  const distance = dialog.getByLabelText('Distance, mm')
  await user.clear(distance)
  await user.type(distance, '12')
  expect(resultOf(/^Vertex/)).toBe('-7.30 D, nearest 0.25 -7.25')
  await user.clear(dialog.getByLabelText('Sphere or power'))
  await user.type(dialog.getByLabelText('Sphere or power'), '-4')
  expect(resultOf(/^Prism/)).toBe('Enter numbers to see the result')
  await user.type(dialog.getByLabelText('Decentration, mm'), '5')
  expect(resultOf(/^Prism/)).toBe('2.00 prism diopters, base out')
  await user.click(dialog.getByRole('radio', { name: 'OS, left' }))
  expect(resultOf(/^Spherical/)).toBe('-2.50 D')
  await user.clear(dialog.getByLabelText('Distance, mm'))
  await user.type(dialog.getByLabelText('Distance, mm'), '12x')
  expect(dialog.getByText('must be a number')).toBeTruthy()
  expect(resultOf(/^Vertex/)).toBe('Enter numbers to see the result')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

const plusStore: StoreOpticalSettings = {
  state: null,
  cylinder_notation: 'plus',
  power_step: 125,
  expiry_by_state: false,
  spectacle_expiry_months: 12,
  contact_lens_expiry_months: 24,
  vertex_distance: 12_000,
}
const stored = { ...draft, od: { ...draft.od, sphere: 2000, cylinder: -1500, axis: 30 } }

test('where the store writes plus cylinder, a draft shows and accepts it, in eighths', async () => {
  const { user, server } = open({ rx: stored, settings: plusStore })
  const valueOf = async (label: string, at = 0) => (await powers()).getAllByLabelText<HTMLInputElement>(label)[at]?.value
  expect([await valueOf('Sphere'), await valueOf('Cylinder'), await valueOf('Axis')]).toEqual(['+0.50', '+1.50', '120'])
  await user.type((await powers()).getAllByLabelText('Sphere')[1]!, '-2.12')
  await user.type((await powers()).getAllByLabelText('Cylinder')[1]!, '75')
  await user.type((await powers()).getAllByLabelText('Axis')[1]!, '5')
  await user.tab()
  expect([await valueOf('Sphere', 1), await valueOf('Axis', 1)]).toEqual(['-2.125', '005'])
  await user.clear((await powers()).getAllByLabelText('Cylinder')[1]!)
  await user.type((await powers()).getAllByLabelText('Cylinder')[1]!, '.75')
  await user.tab()
  expect(await valueOf('Cylinder', 1)).toBe('+0.75')
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({ rx: { os: { sphere: -2125, cylinder: 750, axis: 5 } } })
})

test('a signed prescription is shown in the store’s notation, transposed at a press, and printed in both', async () => {
  const { user } = open({ rx: { ...signed, od: stored.od }, settings: plusStore })
  expect(await (await powers()).findByText('+1.50')).toBeTruthy()
  expect(screen.getAllByText('Plus-cylinder form').length).toBeGreaterThan(0)
  await waitFor(() => expect(document.querySelector('.paper')?.textContent).toContain('Minus-cylinder form: OD +2.00 -1.50 x 030'))
  await user.click(screen.getByRole('button', { name: 'Transpose' }))
  expect((await powers()).getByText('-1.50')).toBeTruthy()
  expect(document.querySelector('.paper')?.textContent).toContain('Plus-cylinder form: OD +0.50 +1.50 x 120')
})

test('the expiry date follows the issue date by the store’s months, until the user enters another', async () => {
  const { user } = open({ rx: { ...draft, issue_date: null, expiry_date: null }, settings: plusStore })
  const [issued, expires] = [
    await screen.findByLabelText<HTMLInputElement>('Issue date'),
    screen.getByLabelText<HTMLInputElement>('Expires'),
  ]
  await user.type(issued, '2026-11-20')
  expect(expires.value).toBe('2027-11-20')
  await user.clear(issued)
  await user.type(issued, '2026-11-21')
  expect(expires.value).toBe('2027-11-21')
  await user.clear(expires)
  await user.type(expires, '2027-06-01')
  await user.clear(issued)
  await user.type(issued, '2026-11-22')
  expect(expires.value).toBe('2027-06-01')
})

test('glasses that expire earlier than the law of the store’s state allows show a warning', async () => {
  open({ rx: { ...draft, expiry_date: '2027-11-20' }, settings: { ...usualOpticalSettings, state: 'CA' } })
  await powers()
  expect(screen.getByText(/^Expires early: The law requires at least 24 months for glasses/)).toBeTruthy()
  cleanup()
  open({ rx: draft, settings: { ...usualOpticalSettings, state: 'CA' } })
  await powers()
  expect(screen.queryByText(/^Expires early/)).toBeNull()
})
