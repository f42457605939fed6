// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { createStore } from 'zustand/vanilla'
import type { Pcp } from '#contract/patients/pcp.ts'
import type { PatientShelf } from '#src/sync/device/device.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { givePatientsKey, mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { PcpDialog } from './pcp-dialog.tsx'

afterEach(cleanup)

const marsh: Pcp = {
  id_pcp: '0198c2f4-0000-7000-8000-000000000002',
  last_name: 'Marsh',
  first_name: 'Helen',
  credential: 'MD',
  practice: 'Oak Clinic',
  specialty: null,
  phone: '5185550140',
  fax: null,
  street_address: null,
  address_line_2: null,
  city: 'Larkspur',
  state: 'IL',
  zip_code: null,
  npi: null,
  inactive: false,
  version: 1,
  changed_at: '2026-11-20T14:00:00.000Z',
  changed_by: 'Ana Teixeira',
  patients: 3,
  last_letter: null,
}

type Sent = { id_pcp?: string; version?: number; last_name: string; practice: string | null }

/** A device with the key for patients. Its server gives `answer` to a change. */
async function setUp() {
  const server = { answer: unreachable as ReturnType<typeof refused> | null, sent: [] as Sent[] }
  const { device, hot, state } = screenDevice({
    signedIn: true,
    answers: (_endpoint, request) => {
      const { body } = request as { body: Sent }
      server.sent.push(body)
      return server.answer ?? { ok: true, value: { ...marsh, ...body } }
    },
  })
  state.setState({ home: mayasHome })
  await givePatientsKey(hot, mayasHome)
  const shelf = { state: createStore(() => ({ status: 'ready', turn: 0 })) } as unknown as PatientShelf
  const whole = Object.assign(device, { patients: () => Promise.resolve(shelf) })
  const show = (base: Pcp | null) => {
    cleanup()
    render(
      <DeviceProvider device={whole}>
        <PcpDialog base={base} onClose={() => undefined} onSaved={() => undefined} />
      </DeviceProvider>,
    )
  }
  const drafts = () => hot.facts.where('key').startsWith('draft ').count()
  return { server, show, drafts }
}

const field = (label: RegExp) => screen.findByLabelText(label)
const type = async (label: RegExp, value: string) => fireEvent.change(await field(label), { target: { value } })
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))

test('the text of a new provider survives a reload, is sent under the same id, and is kept only until then', async () => {
  const { server, show, drafts } = await setUp()
  show(null)
  await type(/^Last name/, 'Iyer')
  save()
  await screen.findByText(/You’re offline. Save when you’re back online/)
  await waitFor(async () => expect(await drafts()).toBe(1))
  show(null)
  await screen.findByText('We restored your unsaved changes')
  expect(await field(/^Last name/)).toHaveProperty('value', 'Iyer')
  server.answer = null
  save()
  await waitFor(async () => expect(await drafts()).toBe(0))
  expect(server.sent).toHaveLength(2)
  expect(server.sent[1]).toEqual(server.sent[0])
})

test('a change typed before another user’s change does not overwrite it unseen', async () => {
  const { server, show, drafts } = await setUp()
  show(marsh)
  await type(/^Practice/, 'Mine')
  await waitFor(async () => expect(await drafts()).toBe(1))
  show({ ...marsh, practice: 'Theirs', version: 5 })
  expect(await field(/^Practice/)).toHaveProperty('value', 'Mine')
  server.answer = refused(409, 'pcp-changed')
  save()
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]).toMatchObject({ practice: 'Mine', version: 1 })
})
