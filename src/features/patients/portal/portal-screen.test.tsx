// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Intake, InvitationPreview, PortalInvitation, PortalMessage } from '#contract/patients/portal.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { givePatientsKey, mayasHome, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { testPatient } from '#tests/support/test-patients.ts'
import { PortalScreen } from './portal-screen.tsx'
import { PortalWork } from './portal-work.tsx'
import type { PortalPart } from './words.ts'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))
afterEach(cleanup)

const at = '2026-11-20T14:00:00.000Z'
const abigail = testPatient(7)
const whose = { id_patient: abigail.id, patient_name: 'Abigail Carrow', store_name: 'Harbour Street' }
const invitation: PortalInvitation = {
  id: '0199f0a0-0000-7000-8000-000000000001',
  ...whose,
  way: 'email',
  email: 'abigail@patients.example',
  email_status: 'sent',
  sent_at: at,
  sent_by: 'Maya Okafor',
  sends: 1,
  expires_at: '2026-11-27T14:00:00.000Z',
  accepted_at: null,
  status: 'sent',
  link: 'open',
  sms_consent_at: null,
  email_consent_at: at,
  hipaa_ack_at: null,
}
const message: PortalMessage = {
  id: '0199f0a0-0000-7000-8000-000000000002',
  ...whose,
  at,
  text: 'May I come on Tuesday?',
  read_at: null,
  assigned_to: null,
  assigned_rep: null,
  done_at: null,
  link: 'open',
  answers: [],
}
const intake: Intake = {
  id: '0199f0a0-0000-7000-8000-000000000003',
  ...whose,
  at,
  reviewed_at: null,
  reviewed_by: null,
  filled: 4,
  taken: null,
  insurance: 'VSP, card at home',
  fields: [
    { field: 'city', sent: 'Moorfield', on_file: 'Larkspur' },
    { field: 'phone', sent: '5185550199', on_file: null },
    { field: 'zip_code', sent: '12345', on_file: '12345' },
  ],
}
const preview: InvitationPreview = {
  patient_name: 'Abigail Carrow',
  first_name: 'Abigail',
  clinic_name: 'Harbour Street',
  subject: 'Your patient portal at Harbour Street',
  text: 'Hello Abigail, this is your personal link.',
  email: 'abigail@patients.example',
  email_problem: null,
  has_dob: true,
  invitation: null,
}
const rights: Permission[] = ['patient.read', 'patient.write', 'message.read', 'message.write']

type Server = {
  summary: { invitations: number; messages: number; unread: number; intakes: number }
  preview: InvitationPreview
  message: PortalMessage
  intake: Intake
  merged: () => Outcome<unknown>
}

type Options = Partial<Server> & {
  permissions?: Permission[]
  reachable?: boolean
  invite?: string
  hot?: HotDatabase
  show?: 'home' | PortalPart
}

function open(more: Options = {}) {
  const server: Server = {
    summary: { invitations: 1, messages: 1, unread: 1, intakes: 1 },
    preview,
    message,
    intake,
    merged: () => ({ ok: true, value: { ...server.intake, taken: [] } }),
    ...more,
  }
  const made = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      if (more.reachable === false) return unreachable
      const body = (request as { body?: Record<string, unknown> }).body ?? {}
      const value = {
        '/api/portal/summary': () => server.summary,
        '/api/portal/invitations': () =>
          endpoint.method === 'GET'
            ? { invitations: [invitation], total: 1 }
            : { invitation, link: body['way'] === 'link' ? `/portal#${'k'.repeat(43)}` : null },
        '/api/portal/preview/{id}': () => server.preview,
        '/api/portal/invitations/{id}/resend': () => ({ invitation, link: null }),
        '/api/portal/invitations/{id}/revoke': () => ({ ...invitation, status: 'revoked', link: 'ended' }),
        '/api/portal/messages': () => ({ messages: [server.message], total: 1 }),
        '/api/portal/messages/{id}': () => (server.message = { ...server.message, read_at: at }),
        '/api/portal/messages/{id}/answer': () => server.message,
        '/api/portal/intakes': () => ({ intakes: [server.intake], total: 1 }),
        '/api/portal/intakes/{id}': () => server.intake,
        '/api/home/patient/search': () => ({ patients: [{ ...abigail, store_name: 'Harbour Street' }], total: 1, page: 1 }),
      }[endpoint.path as string]
      if (endpoint.path === '/api/portal/intakes/{id}/merge') return server.merged()
      return value ? { ok: true, value: value() } : unreachable
    },
  })
  made.state.setState({ home: { ...mayasHome, permissions: more.permissions ?? rights } })
  if (more.hot) Object.assign(made.device, { hot: more.hot })
  render(
    <DeviceProvider device={made.device}>
      {more.show === 'home' ? (
        <PortalWork />
      ) : (
        <PortalScreen invite={more.invite ?? null} part={more.show ?? null} onInvited={() => undefined} />
      )}
    </DeviceProvider>,
  )
  const asked = (path: string) => made.calls.filter((call) => call.path === path)
  return { ...made, server, asked, user: userEvent.setup({ delay: null }) }
}

test('without any activity the page shows the specification’s words', async () => {
  open({ summary: { invitations: 0, messages: 0, unread: 0, intakes: 0 } })
  expect(await screen.findByText('No portal activity.')).toBeTruthy()
})

test('the home page says what waits in the portal, and leads to it', async () => {
  open({ show: 'home', summary: { invitations: 4, messages: 3, unread: 3, intakes: 1 } })
  expect(await screen.findByRole('link', { name: '3 unread messages' })).toBeTruthy()
  expect(screen.getByRole('link', { name: '1 form to review' })).toBeTruthy()
  cleanup()
  open({ show: 'home', permissions: ['patient.read'], summary: { invitations: 4, messages: 3, unread: 3, intakes: 0 } })
  expect(await screen.findByText('No unread messages and no forms to review.')).toBeTruthy()
})

test('the page opens with the list that its address names', async () => {
  open({ show: 'forms' })
  expect((await screen.findByRole('tab', { name: /^Forms/ })).getAttribute('aria-selected')).toBe('true')
})

test('without a connection the page explains it; without access it shows nothing', async () => {
  open({ reachable: false })
  expect(await screen.findByText('This needs a connection')).toBeTruthy()
  cleanup()
  const { calls } = open({ permissions: ['count.scan'] })
  expect(screen.getByText('You don’t have access to this page')).toBeTruthy()
  expect(calls).toEqual([])
})

test('an invitation shows the patient, the address, its state and the consents', async () => {
  open()
  const row = within(await screen.findByRole('list', { name: 'Invitations' }))
  expect(row.getByText('Abigail Carrow')).toBeTruthy()
  expect(row.getByText('Sent')).toBeTruthy()
  expect(row.getByText(/Email to abigail@patients.example/)).toBeTruthy()
  expect(row.getByText('Yes, 11/20/2026')).toBeTruthy()
  expect(row.getAllByText('No')).toHaveLength(2)
})

test('a user with read access only cannot invite', async () => {
  open({ permissions: ['patient.read'] })
  await screen.findByRole('list', { name: 'Invitations' })
  expect(screen.queryByRole('button', { name: /Invite|Resend|Revoke/ })).toBeNull()
  expect(screen.queryByRole('tab', { name: /messages/i })).toBeNull()
})

test('a user finds a patient, sees the email, and sends it once', async () => {
  const { user, asked } = open()
  await user.click(await screen.findByRole('button', { name: 'Invite a patient' }))
  await user.type(await screen.findByLabelText('Name, date of birth or phone'), 'carrow')
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await user.click(await screen.findByRole('button', { name: /Abigail Carrow/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite to the portal: Abigail Carrow' }))
  expect(dialog.getByText(preview.text)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Send invitation' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const sent = asked('/api/portal/invitations').filter(({ request }) => 'body' in (request as object))
  expect(sent).toHaveLength(1)
  expect(sent[0]?.request).toMatchObject({ body: { id_patient: abigail.id, way: 'email' } })
})

test('when no email can be sent, the page gives the reason and offers a link to copy', async () => {
  const { user } = open({ preview: { ...preview, email_problem: 'consent-missing' }, invite: abigail.id })
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite to the portal: Abigail Carrow' }))
  expect(dialog.getByText('The patient hasn’t consented to emails.')).toBeTruthy()
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: /By email/ }).disabled).toBe(true)
  await user.click(dialog.getByRole('button', { name: 'Create link' }))
  const link = await screen.findByLabelText<HTMLInputElement>('Personal link')
  expect(link.value).toBe(`${location.origin}/portal#${'k'.repeat(43)}`)
})

test('a preview sends nothing; Resend and Revoke each make one call', async () => {
  const { user, asked, server } = open()
  server.preview = { ...preview, invitation }
  await user.click(await screen.findByRole('button', { name: 'Preview for Abigail Carrow' }))
  const shown = within(await screen.findByRole('dialog', { name: /What the patient receives/ }))
  expect(shown.queryByRole('button', { name: /Send/ })).toBeNull()
  await user.click(shown.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(await screen.findByRole('button', { name: 'Resend to Abigail Carrow' }))
  await user.click(await screen.findByRole('button', { name: 'Resend' }))
  await waitFor(() => expect(asked('/api/portal/invitations/{id}/resend')).toHaveLength(1))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(await screen.findByRole('button', { name: 'Revoke Abigail Carrow' }))
  await user.click(await screen.findByRole('button', { name: 'Revoke' }))
  await waitFor(() => expect(asked('/api/portal/invitations/{id}/revoke')).toHaveLength(1))
})

test('a message is marked as read and answered in the portal', async () => {
  const { user, asked } = open()
  await user.click(await screen.findByRole('tab', { name: /^Unread messages ?\(1\)$/ }))
  const row = within(await screen.findByRole('article', { name: 'Message from Abigail Carrow' }))
  expect(row.getByText('Unread')).toBeTruthy()
  await user.click(row.getByRole('button', { name: 'Mark as read' }))
  await waitFor(() => expect(screen.queryByText('Unread')).toBeNull())
  await user.click(await screen.findByRole('button', { name: 'Answer Abigail Carrow' }))
  await user.click(await screen.findByRole('button', { name: 'Send' }))
  expect(await screen.findByText('This field is required')).toBeTruthy()
  await user.type(screen.getByLabelText('Answer'), 'Tuesday is fine.')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(asked('/api/portal/messages/{id}/answer')[0]?.request).toMatchObject({ body: { way: 'portal', text: 'Tuesday is fine.' } })
})

test('an unsent answer survives a reload, and is sent once', async () => {
  const first = open()
  await givePatientsKey(first.hot, mayasHome)
  const answering = async ({ user }: { user: typeof first.user }) => {
    await user.click(await screen.findByRole('tab', { name: /messages/i }))
    await user.click(await screen.findByRole('button', { name: 'Answer Abigail Carrow' }))
    return await screen.findByLabelText<HTMLTextAreaElement>('Answer')
  }
  await first.user.type(await answering(first), 'Tuesday')
  cleanup()
  const again = open({ hot: first.hot })
  expect((await answering(again)).value).toBe('Tuesday')
  await again.user.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(again.asked('/api/portal/messages/{id}/answer')[0]?.request).toMatchObject({ body: { way: 'portal', text: 'Tuesday' } })
  expect(await first.hot.facts.where('key').startsWith('draft ').count()).toBe(0)
})

test('a patient who can no longer open the portal gets the answer by email', async () => {
  const { user } = open({ message: { ...message, link: 'ended' } })
  await user.click(await screen.findByRole('tab', { name: /messages/i }))
  await user.click(await screen.findByRole('button', { name: 'Answer Abigail Carrow' }))
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: /In the portal/ })).disabled).toBe(true)
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /By email/ }).checked).toBe(true)
})

test('a form is reviewed field by field: nothing is sent before every choice, and only chosen values are', async () => {
  const { user, asked } = open()
  await user.click(await screen.findByRole('tab', { name: /Forms/ }))
  await user.click(await screen.findByRole('button', { name: 'Review the form from Abigail Carrow' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Form from Abigail Carrow' }))
  await dialog.findByText('Already on file: Zip.')
  expect(dialog.getByText('VSP, card at home')).toBeTruthy()
  await user.click(dialog.getByRole('radio', { name: /^Larkspur/ }))
  await user.click(dialog.getByRole('button', { name: 'Save review' }))
  expect(asked('/api/portal/intakes/{id}/merge')).toEqual([])
  await user.click(dialog.getByRole('radio', { name: /^\(518\) 555-0199/ }))
  await user.click(dialog.getByRole('button', { name: 'Save review' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(asked('/api/portal/intakes/{id}/merge')[0]?.request).toMatchObject({ body: { take: [{ field: 'phone', from: null }] } })
})

test('another user’s change is shown, and its field is asked about again', async () => {
  const { user, server } = open()
  await user.click(await screen.findByRole('tab', { name: /Forms/ }))
  await user.click(await screen.findByRole('button', { name: 'Review the form from Abigail Carrow' }))
  await user.click(await screen.findByRole('radio', { name: /^Moorfield/ }))
  await user.click(screen.getByRole('radio', { name: /^\(518\) 555-0199/ }))
  server.intake = { ...intake, fields: intake.fields.map((field) => (field.field === 'city' ? { ...field, on_file: 'Elsewhere' } : field)) }
  server.merged = () => ({
    ok: false,
    failure: {
      kind: 'refused',
      status: 409,
      code: 'patient-changed',
      message: 'Changed meanwhile',
      fields: [],
      retryAfterS: null,
      details: {},
    },
  })
  await user.click(screen.getByRole('button', { name: 'Save review' }))
  expect(await screen.findByText('NOT SAVED. Changed meanwhile')).toBeTruthy()
  expect(await screen.findByRole('radio', { name: /^Elsewhere/ })).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /^Moorfield/ }).checked).toBe(false)
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /^\(518\) 555-0199/ }).checked).toBe(true)
})
