import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MessageHistory } from '#contract/patients/messages.ts'
import type { Patient } from '#contract/patients/patient.ts'
import { officeOf, openClinic, pageOf, signIn, until, type Office } from '#tests/e2e/clinic.ts'
import { expectAccessible, expectAccessibleAtEveryWidth } from '#tests/e2e/accessibility.ts'
import { feelNetwork, pressUnless, startsWithoutServer, toastSaid } from '#tests/e2e/screen.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'
import { openMessageServices, type MessageServices } from '#tests/support/message-services.ts'

/** The server's environment from its next start on. */
const env: Record<string, string> = {}
let outside: MessageServices
let server: LorgnetteServer
let office: Office
let tablet: Tablet
let page: Page
let patient: Patient

beforeAll(async () => {
  outside = await openMessageServices()
  server = await openClinic(env)
  office = await officeOf(server)
  const added = await office.send<Patient>('POST', '/api/patient/add', {
    first_name: 'Zuzana <b>',
    last_name: 'Černá',
    gender: 'Female',
    street_address: '12 Quarry Ln',
    city: 'Larkspur',
    state: 'NY',
    zip_code: '12345',
    phone: '5185550123',
    email: 'zuzana@patients.example',
    sms_consent_at: '2026-01-05T10:00:00.000Z',
  })
  expect(added.status).toBe(200)
  patient = added.body
  tablet = await openTablet({ reducedMotion: 'reduce' })
  page = await pageOf(tablet)
  await signIn(page, server, 'ana')
  await openMessages()
})
afterAll(async () => {
  await tablet?.close()
  await server?.remove()
  await outside?.close()
})

async function openMessages() {
  await page.goto(`${server.origin}/patient/${patient.id}/messages`)
  await page.getByRole('region', { name: 'Consent' }).waitFor()
}
const dialog = () => page.getByRole('dialog')
const send = () => dialog().getByRole('button', { name: 'Send', exact: true })
const textField = () => dialog().getByRole('textbox', { name: /^(Text|Message)/ })
const sentTexts = async () => (await office.get<MessageHistory>(`/api/patient/${patient.id}/sms-history`)).messages
const entry = (words: string) => page.getByRole('article').filter({ hasText: words })

async function write(what: 'a text' | 'an email', words: string) {
  await page.getByRole('button', { name: new RegExp(`^(Write|Continue) ${what}$`) }).click()
  await textField().fill(words)
}

test('a server without services says so, sends nothing, and sends once it has them', async () => {
  await page.getByRole('region', { name: 'Consent' }).getByText('Not set up').first().waitFor()
  await write('a text', 'Your glasses are ready')
  await dialog().getByText('Texts aren’t set up').waitFor()
  expect(await send().isDisabled()).toBe(true)
  await expectAccessibleAtEveryWidth(page)
  // A direct call to the server gets the same answer.
  const refused = await office.send<{ code: string }>('POST', `/api/patient/${patient.id}/send-sms`, { message: 'Hello' })
  expect(refused).toMatchObject({ status: 409, body: { code: 'messages-not-configured' } })
  expect(await sentTexts()).toEqual([])

  Object.assign(env, outside.env)
  await server.stop()
  await server.start()
  await openMessages()
  // The typed text is still there.
  await page.getByRole('button', { name: 'Continue a text' }).click()
  await expect.poll(() => textField().inputValue()).toBe('Your glasses are ready')
  await send().click()
  await toastSaid(page, 'The text is being sent')
  await entry('Your glasses are ready').getByText('Sent').waitFor()
  expect(outside.texts.map(({ to, text }) => [to, text])).toEqual([['+15185550123', 'Your glasses are ready']])
})

describe('a text message', () => {
  test('from a template gets the patient’s name, with markup as plain characters', async () => {
    await page.getByRole('button', { name: 'Write a text' }).click()
    await dialog().getByLabel('Template').selectOption('glasses-ready')
    await expect.poll(() => textField().inputValue()).toMatch(/^Hello Zuzana <b>, your glasses are ready for pickup at /)
    await expectAccessibleAtEveryWidth(page)
    await send().click()
    await toastSaid(page, 'The text is being sent')
    await entry('Hello Zuzana <b>').getByText('Sent').waitFor()
    await expectAccessibleAtEveryWidth(page)
  })

  test('without an answer is sent again with the same button, and arrives once', async () => {
    const calls = '**/send-sms'
    await page.route(calls, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await write('a text', 'The lenses came today')
    await send().click()
    await dialog().getByText('NO ANSWER').waitFor()
    await dialog()
      .getByText(/it won’t be sent twice/)
      .waitFor()
    await expectAccessible(page)
    await page.unroute(calls)
    await send().click()
    await toastSaid(page, 'The text is being sent')
    await entry('The lenses came today').getByText('Sent').waitFor()
    await expect.poll(() => entry('The lenses came today').count()).toBe(1)
    expect(outside.texts.filter(({ text }) => text === 'The lenses came today')).toHaveLength(1)
  })

  test('without the server waits on this tablet, hidden from others, and is sent only when a user sends it', async () => {
    await startsWithoutServer(page)
    await server.kill()
    await write('a text', 'Written in the cellar')
    const offline = dialog().getByText(/^You can send this when you’re back online/)
    await pressUnless(send(), offline)
    await dialog().getByText('NO ANSWER').or(offline).first().waitFor()
    await page.reload()
    await page.getByText('This needs a connection').waitFor()
    await page.getByText(/Your draft is kept on this device/).waitFor()
    await server.start()
    await feelNetwork(page)
    await page.getByRole('button', { name: 'Continue a text' }).click()
    await expect.poll(() => textField().inputValue()).toBe('Written in the cellar')
    expect(outside.texts.some(({ text }) => text === 'Written in the cellar')).toBe(false)
    await send().click()
    await toastSaid(page, 'The text is being sent')
    await entry('Written in the cellar').getByText('Sent').waitFor()
    expect(outside.texts.filter(({ text }) => text === 'Written in the cellar')).toHaveLength(1)
  })

  test('that the service may or may not have accepted is not called sent, and not sent again automatically', async () => {
    outside.answerTextsWith(504)
    await write('a text', 'Into the fog')
    await send().click()
    await toastSaid(page, 'The text is being sent')
    await entry('Into the fog').getByText('May not have been sent').waitFor()
    await entry('Into the fog')
      .getByText(/It may have arrived, so it isn’t resent automatically/)
      .waitFor()
    await expectAccessibleAtEveryWidth(page)
    outside.answerTextsWith(202)
    await entry('Into the fog')
      .getByRole('button', { name: /^Write again/ })
      .click()
    await expect.poll(() => textField().inputValue()).toBe('Into the fog')
    await dialog().getByRole('button', { name: 'Discard' }).click()
    expect(outside.texts.filter(({ text }) => text === 'Into the fog')).toHaveLength(1)
  })
})

test('an email needs consent, arrives as typed, and its subject adds no header', async () => {
  await write('an email', 'Dear Zuzana,\n\n.a line with a dot\n<script>alert(1)</script>')
  await dialog().getByText('No consent').waitFor()
  expect(await send().isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Change consent' }).click()
  await dialog().getByRole('switch', { name: 'Consents to emails' }).click()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().getByText('Choose how the patient told you').waitFor()
  await expectAccessibleAtEveryWidth(page)
  await dialog().getByRole('radio', { name: 'By phone' }).click()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await toastSaid(page, 'Consent saved')

  await page.getByRole('button', { name: 'Continue an email' }).click()
  await send().click()
  await dialog().getByText('This field is required').waitFor()
  await expectAccessible(page)
  await dialog().getByLabel('Subject').fill('Your exam Bcc: all@patients.example')
  await send().click()
  await toastSaid(page, 'The email is being sent')
  await entry('Your exam Bcc').getByText('Sent').waitFor()
  // The page shows the script as text and does not run it.
  await entry('<script>alert(1)</script>').waitFor()
  expect(outside.mails).toHaveLength(1)
  const [head = ''] = (outside.mails[0] ?? '').split('\r\n\r\n')
  expect(head).toContain('To: zuzana@patients.example')
  expect(head).toMatch(/^Subject: Your exam Bcc: all@patients\.example$/m)
  expect(head).not.toMatch(/^Bcc:/m)
  const injected = await office.send<{ code: string }>('POST', `/api/patient/${patient.id}/send-email`, {
    subject: 'Hello\r\nBcc: all@patients.example',
    message: 'Hello',
  })
  expect(injected).toMatchObject({ status: 422, body: { code: 'request-invalid' } })
})

test('a call is logged with its outcome, and the tabs filter by kind', async () => {
  await page.getByRole('button', { name: 'Log a call' }).click()
  await dialog().getByLabel('Minutes').fill('four')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().getByText('Enter whole minutes, up to 600').waitFor()
  await expectAccessibleAtEveryWidth(page)
  await dialog().getByRole('radio', { name: 'Voicemail' }).click()
  await dialog().getByLabel('Minutes').fill('4')
  await dialog().getByLabel('Note').fill('Asked to call back')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await toastSaid(page, 'Call saved')
  await page.getByRole('tab', { name: /^Calls/ }).click()
  await entry('Asked to call back').getByText('Voicemail').waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(1)
  await page.getByRole('tab', { name: /^Emails/ }).click()
  await entry('Your exam').waitFor()
})

test('the access log names the sender, and holds none of the message', async () => {
  type Entries = { entries: { action: string; detail: string; rep: string }[] }
  const { entries } = await until(
    () => office.get<Entries>(`/api/patient/${patient.id}/audit`),
    ({ entries: told }) => told.some(({ action }) => action === 'call.log'),
    'the log has the call',
  )
  const told = entries.filter(({ action }) => action === 'message.send').map(({ detail, rep }) => `${rep}: ${detail}`)
  expect(new Set(told)).toEqual(new Set(['Ana Teixeira: sms', 'Ana Teixeira: email']))
  expect(JSON.stringify(entries)).not.toContain('cellar')
})
