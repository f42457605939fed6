// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { createStore } from 'zustand/vanilla'
import { afterEach, expect, test } from 'vitest'
import { type Contact, type Message, messageEndpoints } from '#contract/patients/messages.ts'
import type { PatientShelf } from '#src/sync/device/device.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { toastStore } from '#src/ui/toast-store.ts'
import { givePatientsKey, mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { MessagesScreen } from './messages-screen.tsx'

afterEach(() => {
  cleanup()
  toastStore.setState({ toast: null })
})

const idPatient = '0198c2f4-0000-7000-8000-000000000001'
const sent: Message = {
  id: '0198c2f4-0000-7000-8000-00000000000a',
  id_patient: idPatient,
  channel: 'sms',
  direction: 'out',
  at: '2026-11-20T15:00:00.000Z',
  by: 'Ana Teixeira',
  to: '5185550123',
  subject: null,
  body: 'Your glasses are ready',
  template: 'glasses-ready',
  status: 'delivered',
  status_at: '2026-11-20T15:00:02.000Z',
  problem: null,
  attempts: 1,
  outcome: null,
  duration_s: null,
}
const open: Message = {
  ...sent,
  id: '0198c2f4-0000-7000-8000-00000000000b',
  at: '2026-11-19T15:00:00.000Z',
  status: 'unknown',
  problem: 'no-answer',
  body: 'Please call us',
}
const called: Message = {
  ...sent,
  id: '0198c2f4-0000-7000-8000-00000000000c',
  channel: 'call',
  direction: 'in',
  at: '2026-11-21T15:00:00.000Z',
  template: null,
  status: null,
  body: 'Asked for Tuesday',
  outcome: 'reached',
  duration_s: 240,
}
const contact: Contact = {
  sms: { configured: true, consent_at: '2026-01-05T10:00:00.000Z', address: '5185550123' },
  email: { configured: true, consent_at: null, address: 'abigail@patients.example' },
  preferred_contact: 'sms',
  phones: [{ kind: 'cell', number: '5185550123' }],
  first_name: 'Abigail',
  clinic_name: 'Harbour Street',
  staff_name: 'Maya Okafor',
  recall_date: null,
  version: 1,
}

type Sent = { body: Record<string, unknown> }

/** A device with the patients' key, whose server answers writes with `answer`. */
async function setUp(
  answer: () => ReturnType<typeof refused> | { ok: true; value: unknown } = () => ({ ok: true, value: sent }),
  more: Partial<Contact> = {},
) {
  const lists = { sms: [sent, open], email: [], call: [called] }
  const ready = screenDevice({
    signedIn: true,
    answers: (endpoint) => {
      if (endpoint === messageEndpoints.readContact) return { ok: true, value: { ...contact, ...more } }
      const kind = (['sms', 'email', 'call'] as const).find((one) => endpoint.path.endsWith(`/${one}-history`))
      if (kind) return { ok: true, value: { messages: lists[kind], total: lists[kind].length, page: 1 } }
      return answer()
    },
  })
  const shelf = { state: createStore(() => ({ status: 'locked', turn: 0 })) } as unknown as PatientShelf
  const device = Object.assign(ready.device, { patients: () => Promise.resolve(shelf) })
  const home = { ...mayasHome, permissions: [...mayasHome.permissions, 'message.read', 'message.write'] as typeof mayasHome.permissions }
  ready.state.setState({ home })
  await givePatientsKey(ready.hot, home)
  const show = async () => {
    await act(async () => void render(<DeviceProvider device={device}>{<MessagesScreen idPatient={idPatient} />}</DeviceProvider>))
  }
  await show()
  const writes = () => ready.calls.filter(({ path }) => /send-|log-call/.test(path)).map(({ request }) => (request as Sent).body)
  return { ...ready, show, writes }
}
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const press = async (name: string | RegExp) => act(async () => void fireEvent.click(button(name)))
const type = async (label: string | RegExp, value: string) =>
  act(async () => void fireEvent.change(screen.getByLabelText(label, { selector: 'input,textarea,select' }), { target: { value } }))
/** Waits for the dialog, which opens once its draft is read. */
async function dialog() {
  const shown = await screen.findByRole('dialog')
  await within(shown).findAllByRole('combobox')
  return shown
}

test('one list shows everything with the patient, newest first, in plain words, and can be filtered', async () => {
  await setUp()
  expect(screen.getAllByRole('article').map((article) => article.getAttribute('aria-label'))).toEqual([
    'Call from (518) 555-0123',
    'Text to (518) 555-0123',
    'Text to (518) 555-0123',
  ])
  for (const word of ['Reached', 'Delivered', 'May not have been sent', 'No consent']) expect(screen.getByText(word)).toBeDefined()
  expect(screen.getByText(/may have arrived, so it isn’t resent automatically/)).toBeDefined()
  await act(async () => void fireEvent.click(screen.getByRole('tab', { name: /Calls/ })))
  expect(screen.getAllByRole('article')).toHaveLength(1)
  await act(async () => void fireEvent.click(screen.getByRole('tab', { name: /Emails/ })))
  expect(screen.getByText('No emails yet')).toBeDefined()
})

test('a template is filled in and asks for its values, and the size shows while the user types', async () => {
  const { writes } = await setUp()
  await press('Write a text')
  await dialog()
  await type('Template', 'appointment-reminder')
  expect(screen.getByLabelText<HTMLTextAreaElement>(/^Text/, { selector: 'textarea' }).value).toMatch(
    /^Hello Abigail, .* Harbour Street on \{date\}/,
  )
  await press('Send')
  expect(screen.getByText('Fill in {date}, {time}')).toBeDefined()
  expect(writes()).toEqual([])
  await type(/^Text/, 'It’s ready')
  expect(screen.getByText(/1 text of 6 max, 60 characters left/)).toBeDefined()
  await press('Replace them')
  expect(screen.getByText(/1 text of 6 max, 150 characters left/)).toBeDefined()
  await press('Send')
  expect(writes()).toMatchObject([{ message: "It's ready", template: 'appointment-reminder' }])
  await expect.poll(() => toastStore.getState().toast?.title).toBe('The text is being sent')
})

test('the text stays when no answer comes, and the next try sends the same message', async () => {
  const { writes } = await setUp(() => unreachable)
  await press('Write a text')
  await dialog()
  await type(/^Text/, 'Hello')
  await press('Send')
  expect(screen.getByText('NO ANSWER')).toBeDefined()
  await press('Send')
  const [first, second] = writes()
  expect(second).toEqual(first)
  expect(screen.getByLabelText<HTMLTextAreaElement>(/^Text/, { selector: 'textarea' }).value).toBe('Hello')
})

test('the typed text survives a reload, and nobody else can read it on the disk', async () => {
  const { show, hot } = await setUp()
  await press('Write a text')
  await dialog()
  await type(/^Text/, 'Half a sentence')
  await expect.poll(async () => (await hot.facts.toArray()).filter(({ key }) => key.startsWith('draft '))).toHaveLength(1)
  const [kept] = (await hot.facts.toArray()).filter(({ key }) => key.startsWith('draft '))
  if (!kept) throw new Error('nothing was kept')
  const { text } = kept.value as { text: Uint8Array }
  expect(new TextDecoder().decode(text)).not.toContain('Half')
  cleanup()
  await show()
  await screen.findByRole('button', { name: 'Continue a text' })
  await press('Continue a text')
  await dialog()
  expect((await screen.findByLabelText<HTMLTextAreaElement>(/^Text/, { selector: 'textarea' })).value).toBe('Half a sentence')
  await press('Discard')
  await expect.poll(async () => (await hot.facts.toArray()).some(({ key }) => key.startsWith('draft '))).toBe(false)
})

test.each<[string, Partial<Contact>, string]>([
  ['no service', { sms: { ...contact.sms, configured: false } }, 'Texts aren’t set up'],
  ['no consent', { sms: { ...contact.sms, consent_at: null } }, 'No consent'],
  ['no number', { sms: { ...contact.sms, address: null } }, 'No cell phone number'],
  ['no wish to be contacted', { preferred_contact: 'none' }, 'The patient doesn’t want to be contacted'],
])('with %s it says so, and nothing can be sent', async (_why, more, title) => {
  const { writes } = await setUp(undefined, more)
  await press('Write a text')
  expect(within(await dialog()).getByText(title)).toBeDefined()
  await type(/^Text/, 'Hello')
  await press('Send')
  expect(writes()).toEqual([])
})

test('without a connection it says so, and the typed text stays', async () => {
  const { connection, writes } = await setUp()
  act(() => connection.setState({ online: false }))
  expect(screen.getByText('No connection')).toBeDefined()
  await press('Log a call')
  await dialog()
  await type('Note', 'Wants to know when we open')
  await press('Save')
  expect(writes()).toEqual([])
  expect(screen.getByLabelText<HTMLTextAreaElement>('Note').value).toBe('Wants to know when we open')
})

test('a call is logged, with its minutes as seconds', async () => {
  const { writes } = await setUp(() => ({ ok: true, value: called }))
  await press('Log a call')
  await dialog()
  await type('Minutes', 'four')
  await press('Save')
  expect(screen.getByText('Choose an outcome')).toBeDefined()
  expect(screen.getByText('Enter whole minutes, up to 600')).toBeDefined()
  await act(async () => void fireEvent.click(screen.getByLabelText('Voicemail')))
  await type('Minutes', '4')
  await press('Save')
  expect(writes()).toMatchObject([{ direction: 'out', outcome: 'voicemail', duration_s: 240, note: '', to: '5185550123' }])
})

test('consent changes only with the patient’s way of saying so', async () => {
  const { calls } = await setUp(() => ({ ok: true, value: contact }))
  await press('Change consent')
  await dialog()
  await act(async () => void fireEvent.click(screen.getByRole('switch', { name: 'Consents to emails' })))
  await press('Save')
  expect(screen.getByText('Choose how the patient told you')).toBeDefined()
  await act(async () => void fireEvent.click(screen.getByLabelText('By phone')))
  await press('Save')
  const changed = calls.filter(({ path, request }) => path.endsWith('/contact') && (request as Partial<Sent>).body)
  expect(changed.map(({ request }) => (request as Sent).body)).toEqual([{ email_consent: true, how: 'by phone' }])
})

test('a choice of consent survives a reload, and is gone once the user cancels', async () => {
  const { show, hot } = await setUp()
  const kept = () => hot.facts.where('key').startsWith('draft ').count()
  await press('Change consent')
  await dialog()
  await act(async () => void fireEvent.click(screen.getByRole('switch', { name: 'Consents to emails' })))
  await act(async () => void fireEvent.click(screen.getByLabelText('By phone')))
  await expect.poll(kept).toBe(1)
  cleanup()
  await show()
  await press('Change consent')
  await dialog()
  await screen.findByRole('radio', { name: 'By phone', checked: true })
  screen.getByRole('switch', { name: 'Consents to emails', checked: true })
  await press('Cancel')
  await expect.poll(kept).toBe(0)
})

test('a refusal is shown, and the text stays', async () => {
  await setUp(() => refused(429, 'message-too-frequent'))
  await press('Write a text')
  await dialog()
  await type(/^Text/, 'Hello')
  await press('Send')
  expect(screen.getByText('NOT SENT')).toBeDefined()
  expect(screen.getByLabelText<HTMLTextAreaElement>(/^Text/, { selector: 'textarea' }).value).toBe('Hello')
})
