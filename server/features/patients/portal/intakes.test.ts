import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { portalEndpoints as calls } from '#contract/patients/portal.ts'
import {
  accepted,
  auditOf,
  closeRoom,
  codeOf,
  empty,
  knock,
  nextVisit,
  openRoom,
  read,
  recordOf,
  refusalOf,
  server,
  tokens,
} from '#tests/support/portal-room.ts'

beforeAll(openRoom)
afterAll(closeRoom)
beforeEach(nextVisit)

describe('an intake', () => {
  const answers = { ...empty, city: 'Moorfield', phone: '(518) 555-0199', allergies: 'Latex', insurance: 'VSP, card at home' }
  const review = async (id: string) =>
    await read(calls.readIntake.response, await server.request('GET', `/api/portal/intakes/${id}`, { token: tokens.ana }))
  const merge = (id: string, take: object[], token = tokens.ana) =>
    server.request('POST', `/api/portal/intakes/${id}/merge`, { token, body: { take } })

  test('arrives once, is shown beside the record, and goes into it field by field', async () => {
    const { patient, proof } = await accepted()
    const id = uuidv7()
    await Promise.all([1, 2].map(() => knock('intake', { ...proof, id, answers })))
    expect((await recordOf(patient.id)).city).toBe('Larkspur')
    const waiting = await read(calls.listIntakes.response, await server.request('GET', '/api/portal/intakes', { token: tokens.ana }))
    expect(waiting.intakes.filter((one) => one.id_patient === patient.id)).toMatchObject([{ id, filled: 4, reviewed_at: null }])
    const intake = await review(id)
    expect(intake.insurance).toBe('VSP, card at home')
    expect(intake.fields).toEqual([
      { field: 'city', sent: 'Moorfield', on_file: 'Larkspur' },
      { field: 'phone', sent: '5185550199', on_file: null },
      { field: 'allergies', sent: 'Latex', on_file: null },
    ])
    const take = [
      { field: 'phone', from: null },
      { field: 'allergies', from: null },
    ]
    const both = await Promise.all([1, 2].map(() => merge(id, take)))
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const now = await recordOf(patient.id)
    expect(now).toMatchObject({ city: 'Larkspur', phone: '5185550199', allergies: 'Latex' })
    const entries = (await auditOf(patient.id)).filter(({ action, rep }) => rep === 'Ana Teixeira' && /edit|review/.test(action))
    expect(entries.map(({ action, detail }) => `${action}: ${detail}`).sort()).toEqual([
      'patient.edit: allergies, phone',
      'portal.intake-review: allergies, phone',
    ])
    expect(await codeOf(await merge(id, [{ field: 'city', from: 'Larkspur' }]))).toBe('intake-settled')
    expect((await recordOf(patient.id)).version).toBe(now.version)
  })

  test('never overwrites a field that changed since the review began, and still waits for its review', async () => {
    const { patient, proof } = await accepted()
    const id = uuidv7()
    await knock('intake', { ...proof, id, answers })
    const { ssn: _ssn, ...record } = await recordOf(patient.id)
    await server.request('PUT', `/api/patient/${patient.id}`, { token: tokens.maya, body: { ...record, city: 'Elsewhere' } })
    expect(
      await codeOf(
        await merge(id, [
          { field: 'city', from: 'Larkspur' },
          { field: 'phone', from: null },
        ]),
      ),
    ).toBe('patient-changed')
    expect(await recordOf(patient.id)).toMatchObject({ city: 'Elsewhere', phone: null })
    expect((await review(id)).reviewed_at).toBeNull()
    expect(await codeOf(await merge(id, [{ field: 'city', from: 'Elsewhere' }]))).toBe('ok')
    expect((await recordOf(patient.id)).city).toBe('Moorfield')
  })

  test('without an accepted field counts as reviewed, and changes nothing', async () => {
    const { patient, proof } = await accepted()
    const id = uuidv7()
    await knock('intake', { ...proof, id, answers })
    const { version } = await recordOf(patient.id)
    expect(await read(calls.mergeIntake.response, await merge(id, []))).toMatchObject({ taken: [], reviewed_by: 'Ana Teixeira' })
    expect((await recordOf(patient.id)).version).toBe(version)
  })

  test.each<[string, object, string]>([
    ['no answer at all', {}, 'body.answers'],
    ['a strange state', { state: 'ZZ' }, 'body.answers.state'],
    ['half a phone number', { phone: '555' }, 'body.answers.phone'],
    ['no email address', { email: 'nobody' }, 'body.answers.email'],
    ['a NUL', { allergies: 'a\u0000b' }, 'body.answers.allergies'],
    ['too much', { medications: 'x'.repeat(2001) }, 'body.answers.medications'],
  ])('with %s is refused at its field', async (_what, more, path) => {
    const { proof } = await accepted()
    const refused = await refusalOf(await knock('intake', { ...proof, id: uuidv7(), answers: { ...empty, ...more } }))
    expect([refused.status, refused.fields?.map((field) => field.path)]).toEqual([422, [path]])
  })

  test('with hostile text is kept as text, and at most five may wait for a review', async () => {
    const { proof, patient } = await accepted()
    const nasty = `<script>alert(1)</script>'; drop table patients; -- {first_name} [the patient’s personal link] 🕶️`
    const id = uuidv7()
    await knock('intake', { ...proof, id, answers: { ...empty, ocular_history: nasty } })
    expect(await codeOf(await merge(id, [{ field: 'ocular_history', from: null }]))).toBe('ok')
    expect((await recordOf(patient.id)).ocular_history).toBe(nasty)
    expect(await codeOf(await knock('intake', { ...proof, id, answers: { ...empty, ocular_history: 'other' } }))).toBe('key-reused')
    const codes: string[] = []
    for (let nth = 0; nth < 6; nth++) codes.push(await codeOf(await knock('intake', { ...proof, id: uuidv7(), answers })))
    expect(codes).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'request-too-frequent'])
  })
})
