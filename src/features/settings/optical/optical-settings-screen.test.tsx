// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { emptyLetterhead, type Letterhead } from '#contract/settings/letterhead.ts'
import type { Provider, ProviderNumbers } from '#contract/settings/providers.ts'
import { type StoreOpticalSettings, usualOpticalSettings } from '#contract/settings/settings.ts'
import type { SettingsChange } from '#contract/settings/settings-changes.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { givePatientsKey, mayasHome, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { OpticalSettingsScreen } from './optical-settings-screen.tsx'

afterEach(cleanup)

const iris: Provider = { id_user: 4, name: 'Iris Lindqvist', license_no: 'OPT-1', npi: null, is_here: true }
const elsewhere: Provider = { ...iris, id_user: 9, name: 'Otto Brandt', is_here: false }
const manager = { ...mayasHome, permissions: [...mayasHome.permissions, 'settings.optical' as const] }

const chosen: StoreOpticalSettings = { ...usualOpticalSettings, expiry_by_state: false, state: null }

function open(options: { home?: typeof mayasHome; online?: boolean; stored?: StoreOpticalSettings; hot?: HotDatabase } = {}) {
  const server = {
    stored: options.stored ?? chosen,
    reachable: true,
    sent: 0,
    letterhead: emptyLetterhead,
    numbers: [] as unknown[],
    changes: [] as SettingsChange[],
  }
  const made = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      if (endpoint.path === '/api/settings/letterhead' && server.reachable) {
        if (endpoint.method === 'PUT') server.letterhead = (request as { body: Letterhead }).body
        return { ok: true, value: server.letterhead }
      }
      if (endpoint.path.startsWith('/api/settings/providers') && server.reachable) {
        if (endpoint.method === 'GET') return { ok: true, value: { providers: [iris, elsewhere] } }
        const { body } = request as { body: ProviderNumbers }
        server.numbers.push(request)
        const fields = [{ field: 'npi', before: iris.npi, after: body.npi }]
        server.changes.push({
          at: '2026-11-20T15:00:00.000Z',
          by: 'Maya Okonjo',
          action: 'provider.edit',
          provider: iris.name,
          changes: fields,
        })
        return { ok: true, value: { ...iris, ...body } }
      }
      if (endpoint.path === '/api/settings/changes' && server.reachable) return { ok: true, value: { changes: [...server.changes] } }
      if (endpoint.path !== '/api/settings/optical' || !server.reachable) return unreachable
      if (endpoint.method === 'PUT') {
        server.sent += 1
        server.stored = { ...(request as { body: StoreOpticalSettings }).body, state: server.stored.state }
      }
      return { ok: true, value: server.stored }
    },
  })
  made.state.setState({ home: options.home ?? manager })
  made.connection.setState({ online: options.online ?? true })
  if (options.hot) Object.assign(made.device, { hot: options.hot })
  render(
    <DeviceProvider device={made.device}>
      <OpticalSettingsScreen />
    </DeviceProvider>,
  )
  return { ...made, server, user: userEvent.setup({ delay: null }) }
}
const lenses = () => screen.findByLabelText<HTMLInputElement>('Contact lenses expire after, months')
const save = () => screen.getByRole('button', { name: 'Save' })

test('a manager changes how the store writes prescriptions', async () => {
  const { user, server } = open()
  await user.clear(await lenses())
  await user.type(await lenses(), '24')
  await user.click(screen.getByRole('radio', { name: /^Plus cylinder/ }))
  await user.click(screen.getByRole('radio', { name: /^In steps of 0\.125/ }))
  const vertex = screen.getByLabelText<HTMLInputElement>('Vertex distance, mm')
  await user.clear(vertex)
  await user.type(vertex, '12,5')
  expect(screen.getByText('Not saved yet')).toBeTruthy()
  await user.click(save())
  expect(await screen.findByText('All changes are saved')).toBeTruthy()
  expect(server.stored).toEqual({
    ...chosen,
    cylinder_notation: 'plus',
    power_step: 125,
    spectacle_expiry_months: 24,
    contact_lens_expiry_months: 24,
    vertex_distance: 12_500,
  })
  expect(vertex.value).toBe('12.5')
})

test('contact lenses for less than a year, or a text, are refused in words before anything is sent', async () => {
  const { user, server } = open()
  for (const wrong of ['11', 'x', '']) {
    await user.clear(await lenses())
    if (wrong) await user.type(await lenses(), wrong)
    await user.click(save())
    expect(screen.getByText('Enter a whole number from 12 to 60')).toBeTruthy()
  }
  await waitFor(async () => expect(document.activeElement).toBe(await lenses()))
  expect(server.sent).toBe(0)
  await user.click(screen.getByRole('button', { name: 'Discard changes' }))
  expect((await lenses()).value).toBe('12')
  expect(screen.queryByText('Enter a whole number from 12 to 60')).toBeNull()
})

test('a failed save says NOT SAVED, keeps the typed values, and can be repeated', async () => {
  const { user, server } = open()
  await user.clear(await lenses())
  await user.type(await lenses(), '18')
  server.reachable = false
  await user.click(save())
  expect((await screen.findByRole('alert')).textContent).toContain('NOT SAVED')
  expect((await lenses()).value).toBe('18')
  server.reachable = true
  await user.click(save())
  expect(await screen.findByText('All changes are saved')).toBeTruthy()
  expect(server.stored.contact_lens_expiry_months).toBe(18)
})

test('a user who is no manager, or is offline, can only read the settings', async () => {
  open({ home: mayasHome })
  expect(await screen.findByText('Only managers can change these settings.')).toBeTruthy()
  expect((await lenses()).disabled).toBe(true)
  cleanup()
  open({ online: false })
  expect(await screen.findByText('Read only: no connection')).toBeTruthy()
  expect((await lenses()).disabled).toBe(true)
})

test('a manager enters the address for prescriptions, and the page lists what is missing', async () => {
  const { user, server } = open()
  expect(await screen.findByText('Missing from this store’s contact lens prescriptions: address, phone, fax.')).toBeTruthy()
  const type = async (label: string, text: string) => {
    await user.clear(screen.getByLabelText(label))
    await user.type(screen.getByLabelText(label), text)
  }
  await type('Street', '12 Canal Street')
  await type('City', 'Millbrook Falls')
  await user.selectOptions(screen.getByLabelText('State'), 'NY')
  await type('ZIP code', '123')
  await type('Phone', '518-555-0120')
  await user.click(screen.getByRole('button', { name: 'Save address' }))
  expect(screen.getByText('must be 12345 or 12345-6789')).toBeTruthy()
  expect(server.letterhead).toEqual(emptyLetterhead)
  await type('ZIP code', '12345')
  server.reachable = false
  await user.click(screen.getByRole('button', { name: 'Save address' }))
  expect((await screen.findByRole('alert')).textContent).toContain('NOT SAVED')
  server.reachable = true
  await user.click(screen.getByRole('button', { name: 'Save address' }))
  expect(await screen.findByText('Missing from this store’s contact lens prescriptions: fax.')).toBeTruthy()
  expect(server.letterhead).toEqual({
    ...emptyLetterhead,
    street_address: '12 Canal Street',
    city: 'Millbrook Falls',
    state: 'NY',
    zip_code: '12345',
    phone: '5185550120',
  })
  expect(screen.getByLabelText<HTMLInputElement>('Phone').value).toBe('(518) 555-0120')
})

test('a user who is no manager can only read the address', async () => {
  open({ home: mayasHome })
  expect((await screen.findByLabelText<HTMLInputElement>('Street')).disabled).toBe(true)
  expect(screen.queryByRole('button', { name: 'Save address' })).toBeNull()
})

test('a manager enters the license number and NPI of the store’s doctors; a wrong NPI is reported at its field', async () => {
  const { user, server } = open()
  const form = within(await screen.findByRole('form', { name: 'Iris Lindqvist' }))
  expect(form.getByText('Missing from their prescriptions: NPI.')).toBeTruthy()
  expect(screen.queryByRole('form', { name: 'Otto Brandt' })).toBeNull()
  const npi = form.getByLabelText<HTMLInputElement>('NPI')
  await user.type(npi, '1234567890')
  await user.click(form.getByRole('button', { name: 'Save numbers' }))
  expect(await form.findByText('isn’t a valid NPI. Check the digits')).toBeTruthy()
  expect(server.numbers).toEqual([])
  await user.clear(npi)
  await user.type(npi, '123 456 7893')
  await user.click(form.getByRole('button', { name: 'Save numbers' }))
  await waitFor(() => expect(npi.value).toBe('1234567893'))
  expect(server.numbers).toEqual([{ params: { id: '4' }, body: { license_no: 'OPT-1', npi: '1234567893' } }])
  expect(form.queryByText(/Missing/)).toBeNull()
  expect(await screen.findByText('NPI: nothing → 1234567893')).toBeTruthy()
  expect(within(screen.getByRole('list', { name: 'Changes', hidden: true })).getByText('Maya Okonjo')).toBeTruthy()
})

test('a user who may not change the settings can only read the numbers', async () => {
  open({ home: mayasHome })
  const form = within(await screen.findByRole('form', { name: 'Iris Lindqvist' }))
  expect(form.getByLabelText<HTMLInputElement>('License number').disabled).toBe(true)
  expect(form.queryByRole('button', { name: 'Save numbers' })).toBeNull()
  expect(screen.queryByText('See who changed what')).toBeNull()
})

test('a store follows the law of its state until a manager chooses months, and unlawful months get a warning', async () => {
  const { user, server } = open({ stored: { ...usualOpticalSettings, contact_lens_expiry_months: 24, state: 'MN' } })
  expect([(await lenses()).value, (await lenses()).disabled]).toEqual(['24', true])
  expect(screen.getByText('Glasses 24 months. Contact lenses 24 months (Minn. Stat. § 145.712).')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: /^Custom/ }))
  await user.clear(await lenses())
  await user.type(await lenses(), '12')
  expect(screen.getByText('The law requires at least 24 months for contact lenses (Minn. Stat. § 145.712).')).toBeTruthy()
  await user.click(save())
  await screen.findByText('All changes are saved')
  expect(server.stored).toMatchObject({ expiry_by_state: false, contact_lens_expiry_months: 12 })
  await user.click(screen.getByRole('radio', { name: /^Minnesota rules/ }))
  expect((await lenses()).value).toBe('24')
  expect(screen.queryByText(/The law requires/)).toBeNull()
})

test('typed settings, address and numbers survive a reload, and undo no other user’s change', async () => {
  const { user, hot } = open()
  await givePatientsKey(hot, manager)
  const begun = () => hot.facts.where('key').startsWith('draft ').count()
  await user.clear(await lenses())
  await user.type(await lenses(), '18')
  await user.type(screen.getByLabelText('Street'), '12 Canal Street')
  await user.type(within(screen.getByRole('form', { name: 'Iris Lindqvist' })).getByLabelText('NPI'), '123')
  await waitFor(async () => expect(await begun()).toBe(3))
  cleanup()
  const again = open({ hot, stored: { ...chosen, power_step: 125 } })
  expect((await lenses()).value).toBe('18')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /^In steps of 0\.125/ }).checked).toBe(true)
  expect((await screen.findByLabelText<HTMLInputElement>('Street')).value).toBe('12 Canal Street')
  const numbers = within(await screen.findByRole('form', { name: 'Iris Lindqvist' }))
  expect(numbers.getByLabelText<HTMLInputElement>('NPI').value).toBe('123')
  await again.user.click(save())
  expect(await screen.findByText('All changes are saved')).toBeTruthy()
  expect(again.server.stored).toMatchObject({ contact_lens_expiry_months: 18, power_step: 125 })
  await again.user.click(numbers.getByRole('button', { name: 'Revert to saved' }))
  expect(numbers.getByLabelText<HTMLInputElement>('NPI').value).toBe('')
  const address = within(screen.getByRole('form', { name: 'Address on prescriptions' }))
  await again.user.clear(address.getByLabelText('Street'))
  await waitFor(async () => expect(await begun()).toBe(0))
})
