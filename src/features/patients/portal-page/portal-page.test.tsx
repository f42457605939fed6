// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { Endpoint } from '#contract/core/endpoint.ts'
import type { PortalView } from '#contract/patients/portal.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { enterIncompleteDate } from '#tests/support/enter-incomplete-date.ts'
import { refused } from '#tests/support/screen-device.ts'
import type { PortalCall } from './model/portal-calls.ts'
import { PortalPage } from './portal-page.tsx'

afterEach(() => {
  cleanup()
  history.replaceState(null, '', '/')
})

const token = 'k'.repeat(43)
const view: PortalView = {
  clinic_name: 'Downtown',
  first_name: 'Zuzana',
  accepted: false,
  open_until: '2026-12-20T12:00:00.000Z',
  sms_consent: false,
  email_consent: true,
  hipaa_ack: false,
  intakes: [],
  messages: [],
}
type Asked = { path: string; body: Record<string, unknown> }

/** The page of a link, with a server that gives these answers. */
function open(hash: string, answer: (endpoint: Endpoint, body: Record<string, unknown>) => Outcome<unknown>) {
  history.replaceState(null, '', `/portal${hash}`)
  const asked: Asked[] = []
  const call = ((endpoint: Endpoint, request: { body: Record<string, unknown> }) => {
    asked.push({ path: endpoint.path, body: request.body })
    return Promise.resolve(answer(endpoint, request.body))
  }) as unknown as PortalCall
  render(<PortalPage call={call} />)
  return { asked, user: userEvent.setup({ delay: null }) }
}
async function enter(user: ReturnType<typeof userEvent.setup>) {
  await user.type(screen.getByLabelText(/Date of birth/), '1980-02-28')
  await user.click(screen.getByRole('button', { name: 'Open the portal' }))
}

test('an incomplete link shows no field and sends nothing', () => {
  const { asked } = open('#short', () => refused(500, 'never'))
  expect(screen.getByText('This link is incomplete')).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(asked).toEqual([])
})

test('the date of birth opens the portal; a refusal shows the server’s sentence and nothing about the patient', async () => {
  let isRight = false
  const { asked, user } = open(`#${token}`, () => (isRight ? { ok: true, value: view } : refused(403, 'portal-closed')))
  await user.click(screen.getByRole('button', { name: 'Open the portal' }))
  expect(await screen.findByText('This field is required')).toBeTruthy()
  enterIncompleteDate(screen.getByLabelText(/Date of birth/))
  await user.click(screen.getByRole('button', { name: 'Open the portal' }))
  expect(screen.getByText('Enter a full date')).toBeTruthy()
  expect(asked).toEqual([])
  await enter(user)
  expect((await screen.findByRole('alert')).textContent).toContain('portal-closed')
  isRight = true
  await user.click(await screen.findByRole('button', { name: 'Open the portal' }))
  expect(await screen.findByRole('heading', { name: 'Hello Zuzana' })).toBeTruthy()
  expect(asked.at(-1)).toEqual({ path: '/api/portal/open', body: { token, dob: '1980-02-28' } })
  expect(location.pathname + location.search).toBe('/portal')
})

test('accepting sends the consents, and only those on file are checked in advance', async () => {
  const { asked, user } = open(`#${token}`, (endpoint) => ({
    ok: true,
    value: endpoint.path === '/api/portal/open' ? view : { ...view, accepted: true, sms_consent: true },
  }))
  await enter(user)
  const texts = await screen.findByRole('checkbox', { name: /^Text messages/ })
  const isTicked = (name: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name }).checked
  expect([isTicked(/^Text/), isTicked(/^Emails/), isTicked(/notice of privacy/i)]).toEqual([false, true, false])
  await user.click(texts)
  await user.click(screen.getByRole('button', { name: 'Accept the invitation' }))
  expect(await screen.findByText('We may send you text messages and emails.')).toBeTruthy()
  expect(asked.at(-1)?.body).toEqual({ token, dob: '1980-02-28', sms_consent: true, email_consent: true, hipaa_ack: false })
})

test('the form marks its wrong fields, sends the others, and uses the same id for a retry', async () => {
  let answers: Outcome<unknown> = { ok: false, failure: { kind: 'unreachable', message: 'No connection' } }
  const accepted = { ...view, accepted: true }
  const { asked, user } = open(`#${token}`, (endpoint) =>
    endpoint.path === '/api/portal/intake' ? answers : { ok: true, value: accepted },
  )
  await enter(user)
  await user.click(await screen.findByRole('button', { name: 'Fill out the form' }))
  await user.click(screen.getByRole('button', { name: 'Send to the clinic' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Fill out at least one field.')
  await user.type(screen.getByLabelText('Cell phone'), '555')
  await user.type(screen.getByLabelText('Allergies'), 'Latex')
  await user.click(screen.getByRole('button', { name: 'Send to the clinic' }))
  expect(await screen.findByText('must be a phone number of 10 digits')).toBeTruthy()
  expect(asked.filter(({ path }) => path === '/api/portal/intake')).toEqual([])
  await user.clear(screen.getByLabelText('Cell phone'))
  await user.type(screen.getByLabelText('Cell phone'), '(518) 555-0199')
  await user.click(screen.getByRole('button', { name: 'Send to the clinic' }))
  expect(await screen.findByText('No connection')).toBeTruthy()
  answers = { ok: true, value: { ...accepted, intakes: [{ id: 'x', at: '2026-11-20T14:00:00.000Z', reviewed: false }] } }
  await user.click(await screen.findByRole('button', { name: 'Send to the clinic' }))
  expect((await screen.findByRole('list', { name: 'Forms you sent' })).textContent).toContain('waiting for the clinic')
  const [first, second] = asked.filter(({ path }) => path === '/api/portal/intake')
  expect(second?.body).toEqual(first?.body)
  expect(first?.body['answers']).toMatchObject({ phone: '5185550199', allergies: 'Latex', city: null, insurance: null })
})

test('a sent message appears below and clears the field; a failed one keeps the typed text', async () => {
  const accepted = { ...view, accepted: true }
  let reachable = false
  const { asked, user } = open(`#${token}`, (endpoint, body) => {
    if (endpoint.path !== '/api/portal/message') return { ok: true, value: accepted }
    if (!reachable) return { ok: false, failure: { kind: 'unreachable', message: 'No connection' } }
    const written = { id: String(body['id']), at: '2026-11-20T14:00:00.000Z', from: 'you', by: '', text: String(body['text']) }
    return { ok: true, value: { ...accepted, messages: [written] } }
  })
  await enter(user)
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Write to the clinic')
  await user.type(field, 'May I come?')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText(/Not sent. No connection/)).toBeTruthy()
  expect(field.value).toBe('May I come?')
  reachable = true
  await user.click(await screen.findByRole('button', { name: 'Send' }))
  expect(within(await screen.findByRole('list', { name: 'Messages' })).getByText('May I come?')).toBeTruthy()
  expect(field.value).toBe('')
  const sent = asked.filter(({ path }) => path === '/api/portal/message').map(({ body }) => body['id'])
  expect(new Set(sent).size).toBe(1)
})
