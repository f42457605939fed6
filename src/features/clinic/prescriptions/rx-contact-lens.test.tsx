// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react'
import * as v from 'valibot'
import { afterEach, expect, test, vi } from 'vitest'
import type { LensBrand } from '#contract/library/lens-brands.ts'
import { prescription } from '#contract/rx/prescription.ts'
import { draft, open, powers } from '#tests/support/rx-screens.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))
afterEach(cleanup)

const lensesOf = (more: object) =>
  v.parse(prescription, { ...draft, rx_kind: 'contact_lens', expiry_date: '2027-11-20', provider_name: null, ...more })

test('contact lenses and glasses each show only their own fields', async () => {
  open({ rx: lensesOf({}) })
  await powers()
  for (const label of ['Lens type', 'Use', 'Balance lens', 'Distance PD (binocular), mm', 'Pantoscopic tilt, degrees', 'Wrap, degrees']) {
    expect(screen.queryByLabelText(label)).toBeNull()
  }
  expect(screen.getByLabelText('Exam date')).toBeTruthy()
  cleanup()
  open()
  await powers()
  expect(screen.getByLabelText('Balance lens')).toBeTruthy()
  expect(screen.queryByRole('checkbox', { name: 'No lens for this eye' })).toBeNull()
})

test('a contact lens draft of an older version is saved without the fields of glasses', async () => {
  const { user, server } = open({ rx: lensesOf({ rx_type: 'progressive', balance_lens_eye: 'os', od: { sphere: -1000, power: -2000 } }) })
  await powers()
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({
    rx: { rx_type: 'single_vision', balance_lens_eye: 'none', od: { sphere: null, power: -2000 } },
  })
})

test('an eye without a contact lens asks for nothing, and its typed values are back when it wears one again', async () => {
  const { user, server } = open({ rx: lensesOf({ os: { power: -1500, brand: 'Aqua' } }) })
  const none = (await powers()).getAllByRole('checkbox', { name: 'No lens for this eye' })[1]!
  await user.click(none)
  expect((await powers()).getAllByLabelText('Power')).toHaveLength(1)
  expect(screen.getAllByLabelText('Brand')).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  expect(screen.getByText(/^Some fields are missing or incorrect: /)).toBeTruthy()
  expect(screen.queryByText('This eye has values')).toBeNull()
  await user.click(none)
  expect((await powers()).getAllByLabelText<HTMLInputElement>('Power')[1]?.value).toBe('-1.50')
  await user.click(none)
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({ rx: { os: { no_lens: true, power: null, brand: null } } })
  await waitFor(() => expect(document.querySelector('.paper')?.textContent).toContain('OS, left, no lens'))
})

test('the list and a signed prescription say that an eye wears no lens', async () => {
  const rx = { ...lensesOf({ od: { power: -2000 }, os: { no_lens: true } }), status: 'active' as const, signed_by: 'Iris' }
  open({ rx: { ...rx, signature: { kind: 'typed', name: 'Iris' } } })
  expect((await powers()).getByRole('columnheader', { name: 'OS, left, no lens' })).toBeTruthy()
  cleanup()
  open({ list: true, rx })
  expect(await screen.findByText('No lens')).toBeTruthy()
})

test('contact lenses for less than a year ask for the medical reason', async () => {
  const lenses = v.parse(prescription, { ...draft, rx_kind: 'contact_lens', expiry_date: '2027-11-19' })
  const { user } = open({ rx: lenses })
  const reason = await screen.findByLabelText('Medical reason for expiring in under a year')
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  expect(reason.getAttribute('aria-invalid')).toBe('true')
  await user.type(reason, 'Corneal infiltrates')
  expect(reason.getAttribute('aria-invalid')).not.toBe('true')
})

test('a trial lens is marked at its eye; the field refuses boxes for a year, and the prescription is not signed', async () => {
  const { user, server } = open({ rx: v.parse(prescription, { ...draft, rx_kind: 'contact_lens', expiry_date: '2027-11-20' }) })
  await powers()
  const boxes = screen.getAllByLabelText('Boxes per year')[0]!
  await user.type(boxes, '12')
  await user.click(screen.getAllByRole('checkbox', { name: 'Trial lens' })[0]!)
  expect(screen.getByText('A trial lens can’t be sold as an annual supply')).toBeTruthy()
  expect(boxes.getAttribute('aria-invalid')).toBe('true')
  await user.clear(boxes)
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  expect(screen.getByText('A trial lens isn’t a final prescription. Keep it as a draft.')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({ rx: { od: { is_trial: true, annual_supply: null }, os: { is_trial: false } } })
  await waitFor(() => expect(document.querySelector('.paper')?.textContent).toContain('Trial lenses. Not a final prescription.'))
})

test('a base curve is a number or a name, typed or chosen, and a private label names its lens', async () => {
  const { user, server } = open({ rx: v.parse(prescription, { ...draft, rx_kind: 'contact_lens', expiry_date: '2027-11-20' }) })
  await powers()
  const [right, left] = screen.getAllByLabelText<HTMLInputElement>('Base curve, mm')
  await user.type(right!, 'Flat')
  expect([right!.value, screen.getAllByLabelText<HTMLSelectElement>('Base curve, named')[0]!.value]).toEqual(['', 'flat'])
  await user.type(left!, '8.6')
  await user.selectOptions(screen.getAllByLabelText('Base curve, named')[1]!, 'Steep')
  await user.type(screen.getAllByLabelText('Private label of')[0]!, 'Clear Water')
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({
    rx: {
      od: { base_curve: null, base_curve_designation: 'flat', equivalent_brand: 'Clear Water' },
      os: { base_curve: 8600, base_curve_designation: 'steep' },
    },
  })
})

const oasys: LensBrand = {
  brand: 'Oasys',
  manufacturer: 'Vistakon',
  material: 'senofilcon A',
  times: 9,
  fits: [
    { base_curve: 8400, base_curve_designation: null, diameter: 14_000, times: 6 },
    { base_curve: 8800, base_curve_designation: null, diameter: 14_000, times: 3 },
  ],
}

test('a lens that the chain has prescribed is chosen with its base curve, and fills its other fields', async () => {
  const { user, server, calls } = open({ rx: lensesOf({ od: { power: -2000, base_curve_designation: 'flat' } }) })
  server.brands = [oasys]
  await powers()
  await user.type(screen.getAllByRole('combobox', { name: 'Brand' })[0]!, 'oas')
  await user.click(await screen.findByRole('option', { name: /^Oasys.*BC 8.80 · dia. 14.0$/ }))
  const value = (label: string) => screen.getAllByLabelText<HTMLInputElement>(label)[0]!.value
  expect(['Brand', 'Manufacturer', 'Material', 'Base curve, mm', 'Diameter, mm'].map(value)).toEqual([
    'Oasys',
    'Vistakon',
    'senofilcon A',
    '8.80',
    '14.0',
  ])
  const asked = calls.filter(({ path }) => path.endsWith('/lens-brands')).map(({ request }) => request)
  expect(asked.at(-1)).toMatchObject({ query: { query: 'oas' } })
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({
    rx: { od: { brand: 'Oasys', base_curve: 8800, base_curve_designation: null, diameter: 14_000, power: -2000 }, os: { brand: null } },
  })
})

test('any other brand is typed: Tab and Enter choose nothing from the list, and typing works without the list', async () => {
  const { user, server } = open({ rx: lensesOf({}) })
  server.brands = [oasys]
  await powers()
  const [right, left] = screen.getAllByRole<HTMLInputElement>('combobox', { name: 'Brand' })
  await user.click(right!)
  await screen.findByRole('option', { name: /BC 8.40/ })
  await user.tab()
  expect(right!.value).toBe('')
  await user.type(right!, 'oa')
  await screen.findByRole('option', { name: /BC 8.40/ })
  await user.tab()
  expect([right!.value, screen.getAllByLabelText<HTMLInputElement>('Manufacturer')[0]!.value]).toEqual(['oa', ''])
  server.brands = null
  await user.type(left!, 'Own make')
  expect(await screen.findByText('Couldn’t load the lens list. Type the brand.')).toBeTruthy()
  await user.keyboard('{Enter}')
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({ rx: { od: { brand: 'oa', base_curve: null }, os: { brand: 'Own make' } } })
})
