import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { portalEndpoints as calls } from '#contract/patients/portal.ts'
import {
  accepted,
  closeRoom,
  codeOf,
  empty,
  invite,
  knock,
  mails,
  nextVisit,
  openRoom,
  read,
  resend,
  revoke,
  server,
  tokens,
} from '#tests/support/portal-room.ts'

beforeAll(openRoom)
afterAll(closeRoom)
beforeEach(nextVisit)

describe('a message', () => {
  const mark = (id: string, body: object, token = tokens.ana) => server.request('PUT', `/api/portal/messages/${id}`, { token, body })
  const answer = (id: string, body: object, token = tokens.ana) =>
    server.request('POST', `/api/portal/messages/${id}/answer`, { token, body })
  const inbox = async (done = 'no') =>
    (await read(calls.listPortalMessages.response, await server.request('GET', `/api/portal/messages?done=${done}`, { token: tokens.ana })))
      .messages
  async function written(more: Record<string, unknown> = {}) {
    const made = await accepted(more)
    const id = uuidv7()
    await Promise.all([1, 2].map(() => knock('message', { ...made.proof, id, text: 'May I come on Tuesday?' })))
    return { ...made, id }
  }

  test('arrives once, is read, assigned, done and reopened', async () => {
    const { id, patient } = await written()
    expect((await inbox()).filter((one) => one.id_patient === patient.id)).toMatchObject([
      { id, read_at: null, text: 'May I come on Tuesday?' },
    ])
    const told = await read(calls.markPortalMessage.response, await mark(id, { read: true, mine: true, done: true }))
    expect(told).toMatchObject({
      assigned_rep: 'Ana Teixeira',
      done_at: expect.any(String) as string,
      read_at: expect.any(String) as string,
    })
    expect((await inbox()).some((one) => one.id === id)).toBe(false)
    expect((await inbox('yes')).some((one) => one.id === id)).toBe(true)
    expect(await read(calls.markPortalMessage.response, await mark(id, { read: false, mine: false, done: false }))).toMatchObject({
      read_at: null,
      assigned_to: null,
      done_at: null,
    })
  })

  test('is answered in the portal once, and the patient reads the answer there', async () => {
    const { id, proof } = await written()
    const body = { id: uuidv7(), way: 'portal', text: 'Tuesday at nine is fine.' }
    await Promise.all([1, 2].map(() => answer(id, body)))
    const view = await read(calls.openPortal.response, await knock('open', proof))
    expect(view.messages.map(({ from, by, text }) => [from, by, text])).toEqual(
      [
        ['you', '', 'May I come on Tuesday?'],
        ['clinic', 'Ana Teixeira', 'Tuesday at nine is fine.'],
      ].toReversed(),
    )
    expect(await codeOf(await answer(id, { ...body, text: 'No.' }))).toBe('key-reused')
  })

  test('is answered by email once; without the patient’s consent the answer is refused, and nothing is kept', async () => {
    const { id, patient, proof } = await written()
    const body = { id: uuidv7(), way: 'email', text: 'See you on Tuesday.' }
    await Promise.all([1, 2].map(() => answer(id, body)))
    await server.services.messaging.sendDue()
    expect(mails.filter((mail) => mail.includes('See you on Tuesday.'))).toHaveLength(1)
    await knock('agree', { ...proof, sms_consent: false, email_consent: false, hipaa_ack: true })
    expect(await codeOf(await answer(id, { ...body, id: uuidv7() }))).toBe('consent-missing')
    expect((await inbox()).find((one) => one.id_patient === patient.id)?.answers).toHaveLength(1)
  })
})

test('only users of the patient’s store, in the right role, see what came from the portal', async () => {
  const { invitation, proof, patient } = await accepted()
  const [idMessage, idIntake] = [uuidv7(), uuidv7()]
  await knock('message', { ...proof, id: idMessage, text: 'Hello' })
  await knock('intake', { ...proof, id: idIntake, answers: { ...empty, city: 'Here' } })
  await server.db.pool.updateTable('patients').set({ store_id: 2 }).where('id', '=', patient.id).execute()
  const foreign = await Promise.all([
    invite(patient.id),
    resend(invitation.id, { id: uuidv7(), way: 'link' }),
    revoke(invitation.id),
    server.request('GET', `/api/portal/preview/${patient.id}`, { token: tokens.ana }),
    server.request('PUT', `/api/portal/messages/${idMessage}`, { token: tokens.ana, body: { read: true } }),
    server.request('POST', `/api/portal/messages/${idMessage}/answer`, {
      token: tokens.ana,
      body: { id: uuidv7(), way: 'portal', text: 'x' },
    }),
    server.request('GET', `/api/portal/intakes/${idIntake}`, { token: tokens.ana }),
    server.request('POST', `/api/portal/intakes/${idIntake}/merge`, { token: tokens.ana, body: { take: [] } }),
  ])
  expect(await Promise.all(foreign.map(codeOf))).toEqual(foreign.map(() => 'patient-of-other-store'))
  const lists = ['invitations', 'messages', 'intakes']
  for (const list of lists) {
    const seen = await (await server.request('GET', `/api/portal/${list}`, { token: tokens.ana })).text()
    expect(seen).not.toContain(patient.id)
    expect(await (await server.request('GET', `/api/portal/${list}`, { token: tokens.maya })).text()).toContain(patient.id)
    expect(await codeOf(await server.request('GET', `/api/portal/${list}`, { token: tokens.ben }))).toBe('permission-missing')
  }
  await server.db.pool.updateTable('patients').set({ store_id: 1 }).where('id', '=', patient.id).execute()
})
