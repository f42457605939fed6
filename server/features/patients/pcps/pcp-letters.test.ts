import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { type LetterWay, letterWays, lettersShown, type PcpLetter, pcpLetter, pcpLetterEndpoints } from '#contract/patients/pcp-letters.ts'
import { patientAudit, patientRecord } from '#contract/patients/patients.ts'
import { type Pcp, pcp, pcpEndpoints } from '#contract/patients/pcps.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
/** Maya manages all stores, Ana is an optician of Downtown, Ben a stock clerk there. */
const tokens = { maya: '', ana: '', ben: '' }
beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
})
afterAll(() => server.close())

const asked = (method: string, address: string, body?: unknown, token = tokens.ana) =>
  server.request(method, address, { token, ...(body !== undefined && { body }) })
const toldBy = async (answer: Response) => [answer.status, v.parse(errorBody, await answer.json()).code]
async function answered(answer: Response): Promise<unknown> {
  if (answer.status !== 200) throw new Error(await answer.text())
  return await answer.json()
}

const doctor = async (last_name: string) => v.parse(pcp, await answered(await asked('POST', '/api/pcp', { last_name, credential: 'MD' })))
const person = { first_name: 'Zuzana', street_address: '12 Quarry Ln', city: 'Larkspur', state: 'NY', zip_code: '12345', gender: 'Female' }
const patientOf = async (pcp_id: string | null) =>
  v.parse(patientRecord, await answered(await asked('POST', '/api/patient/add', { ...person, pcp_id })))
const toEastside = (id: string) => server.db.pool.updateTable('patients').set({ store_id: 2 }).where('id', '=', id).execute()

/** The date in Downtown this many days ago. */
const dayAgo = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(server.clock.now() - days * 86_400_000)
type Given = { id_letter?: string; sent_on?: string; way?: LetterWay; about?: string }
const letterTo = ({ id_pcp }: Pick<Pcp, 'id_pcp'>, more: Given = {}) => ({
  id_letter: uuidv7(),
  id_pcp,
  sent_on: dayAgo(1),
  way: 'fax',
  about: 'Diabetic eye exam: no retinopathy',
  ...more,
})
const record = (idPatient: string, letter: object, token = tokens.ana) =>
  asked('POST', `/api/patient/${idPatient}/pcp-letter`, letter, token)
const recorded = async (idPatient: string, letter: object): Promise<PcpLetter> =>
  v.parse(pcpLetter, await answered(await record(idPatient, letter)))
const lettersOf = async (idPatient: string) =>
  v.parse(pcpLetterEndpoints.listPcpLetters.response, await answered(await asked('GET', `/api/patient/${idPatient}/pcp-letter`))).letters
const providerOf = async ({ id_pcp }: Pick<Pcp, 'id_pcp'>, token = tokens.ana) =>
  v.parse(pcpEndpoints.readPcp.response, await answered(await asked('GET', `/api/pcp/${id_pcp}`, undefined, token)))
const listed = async (query: string) =>
  v.parse(pcpEndpoints.listPcps.response, await answered(await asked('GET', `/api/pcp?query=${query}`))).pcps
const auditOf = async (idPatient: string) =>
  v
    .parse(patientAudit.response, await answered(await asked('GET', `/api/patient/${idPatient}/audit`, undefined, tokens.maya)))
    .entries.filter(({ action }) => action.startsWith('letter') || action === 'pcp.merge')

describe('a letter', () => {
  test('shows its day, way, subject, recipient and author, and is in the access log', async () => {
    const marsh = await doctor('Lettered')
    const { id } = await patientOf(marsh.id_pcp)
    const first = letterTo(marsh, { sent_on: dayAgo(9), way: 'hand', about: '  O\u2019Hara <b> ' })
    expect(await recorded(id, first)).toMatchObject({
      ...first,
      about: 'O\u2019Hara <b>',
      pcp_name: 'Lettered, MD',
      rep: 'Ana Teixeira',
    })
    const second = await recorded(id, letterTo(marsh))
    expect((await lettersOf(id)).map(({ id_letter }) => id_letter)).toEqual([second.id_letter, first.id_letter])
    await lettersOf(id)
    // A second look within a quarter of an hour is the same look. The log leaves out the subject of a letter.
    expect((await auditOf(id)).map(({ action, detail, rep }) => [action, detail, rep])).toEqual([
      ['letter.view', '', 'Ana Teixeira'],
      ['letter.record', second.id_letter, 'Ana Teixeira'],
      ['letter.record', first.id_letter, 'Ana Teixeira'],
    ])
  })

  test.each(letterWays)('may go by %s', async (way) => {
    const marsh = await doctor('Ways')
    const { id } = await patientOf(marsh.id_pcp)
    expect(await recorded(id, letterTo(marsh, { way }))).toMatchObject({ way })
  })

  test('is written once however often it is sent, and another letter with its id is refused', async () => {
    const marsh = await doctor('Repeated')
    const [{ id }, other] = [await patientOf(marsh.id_pcp), await patientOf(marsh.id_pcp)]
    const letter = letterTo(marsh)
    const answers = await Promise.all([1, 2, 3].map(() => record(id, letter)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await recorded(id, { ...letter, id_letter: letter.id_letter.toUpperCase() })).toMatchObject({ id_letter: letter.id_letter })
    for (const [patient, changed] of [
      [id, { ...letter, about: 'Something else' }],
      [other.id, letter],
    ] as const) {
      expect(await toldBy(await record(patient, changed))).toEqual([409, 'key-reused'])
    }
    expect(await toldBy(await record(id, letter, tokens.maya))).toEqual([409, 'key-reused'])
    expect(await lettersOf(id)).toHaveLength(1)
    expect((await auditOf(id)).filter(({ action }) => action === 'letter.record')).toHaveLength(1)
  })

  test('dated tomorrow by the store’s calendar is refused at that field, and dated today it is accepted', async () => {
    const marsh = await doctor('Dated')
    const { id } = await patientOf(marsh.id_pcp)
    const answer = await record(id, letterTo(marsh, { sent_on: dayAgo(-1) }))
    expect(answer.status).toBe(422)
    expect(v.parse(errorBody, await answer.json())).toMatchObject({
      code: 'request-invalid',
      fields: [{ path: 'body.sent_on', message: 'can’t be in the future' }],
    })
    expect(await lettersOf(id)).toEqual([])
    await recorded(id, letterTo(marsh, { sent_on: dayAgo(0) }))
  })

  test.each([
    ['sent_on', '2026-02-30'],
    ['sent_on', ''],
    ['way', 'pigeon'],
    ['about', '   '],
    ['about', 'x'.repeat(201)],
    ['about', 'a\u0000b'],
    ['id_pcp', 'marsh'],
    ['id_letter', '1'],
  ])('with %s %j is refused at that field', async (field, value) => {
    const { id } = await patientOf(null)
    const answer = await record(id, { ...letterTo({ id_pcp: uuidv7() }), [field]: value })
    expect(answer.status).toBe(422)
    const { fields } = v.parse(errorBody, await answer.json())
    expect([...new Set(fields?.map(({ path }) => path))]).toEqual([`body.${field}`])
  })

  test('needs a known patient and provider, and a user with access to the patient', async () => {
    const marsh = await doctor('Allowed')
    const { id } = await patientOf(marsh.id_pcp)
    expect(await toldBy(await record(uuidv7(), letterTo(marsh)))).toEqual([404, 'patient-unknown'])
    expect(await toldBy(await record(id, letterTo({ id_pcp: uuidv7() })))).toEqual([404, 'pcp-unknown'])
    expect(await toldBy(await record(id, letterTo(marsh), tokens.ben))).toEqual([403, 'permission-missing'])
    expect(await toldBy(await asked('GET', `/api/patient/${id}/pcp-letter`, undefined, tokens.ben))).toEqual([403, 'permission-missing'])
    await toEastside(id)
    expect(await toldBy(await record(id, letterTo(marsh)))).toEqual([403, 'patient-of-other-store'])
    expect((await providerOf(marsh)).pcp.last_letter).toBeNull()
  })
})

describe('a provider', () => {
  test('shows the day of the last letter, and letters only about patients whom the user may see, without subjects', async () => {
    const marsh = await doctor('Written')
    const [mine, elsewhere] = [await patientOf(marsh.id_pcp), await patientOf(marsh.id_pcp)]
    await recorded(mine.id, letterTo(marsh, { sent_on: dayAgo(5) }))
    await recorded(mine.id, letterTo(marsh, { sent_on: dayAgo(30) }))
    await recorded(elsewhere.id, letterTo(marsh, { sent_on: dayAgo(2) }))
    await toEastside(elsewhere.id)
    expect(await listed('written')).toMatchObject([{ last_letter: dayAgo(2) }])
    const toAna = await providerOf(marsh)
    expect(toAna.letters.map(({ sent_on, patient }) => [sent_on, patient.id])).toEqual([
      [dayAgo(5), mine.id],
      [dayAgo(30), mine.id],
    ])
    const toMaya = await answered(await asked('GET', `/api/pcp/${marsh.id_pcp}`, undefined, tokens.maya))
    expect(v.parse(pcpEndpoints.readPcp.response, toMaya).letters).toHaveLength(3)
    expect(JSON.stringify(toMaya)).not.toContain('retinopathy')
  })

  test('shows the newest of many letters', async () => {
    const marsh = await doctor('Many')
    const { id } = await patientOf(marsh.id_pcp)
    for (let days = 1; days <= lettersShown + 2; days++) await recorded(id, letterTo(marsh, { sent_on: dayAgo(days) }))
    for (const letters of [await lettersOf(id), (await providerOf(marsh)).letters]) {
      expect(letters).toHaveLength(lettersShown)
      expect(letters[0]?.sent_on).toBe(dayAgo(1))
    }
  })
})

describe('merging', () => {
  const merge = (stays: Pcp, goes: Pcp) =>
    asked(
      'POST',
      `/api/pcp/${stays.id_pcp}/merge`,
      { id_pcp: goes.id_pcp, version: stays.version, merged_version: goes.version },
      tokens.maya,
    )

  test('moves the letters, even of a patient with another provider now, and is in the access log of each patient', async () => {
    const [stays, goes, third] = [await doctor('Stayer'), await doctor('Goer'), await doctor('Third')]
    const { id } = await patientOf(third.id_pcp)
    const letter = letterTo(goes)
    await recorded(id, letter)
    await recorded(id, letterTo(goes, { sent_on: dayAgo(3) }))
    expect((await merge(stays, goes)).status).toBe(200)
    expect(await lettersOf(id)).toMatchObject([{ id_pcp: stays.id_pcp, pcp_name: 'Stayer, MD' }, { id_pcp: stays.id_pcp }])
    expect(await listed('stayer')).toMatchObject([{ last_letter: dayAgo(1) }])
    expect((await auditOf(id)).filter(({ action }) => action === 'pcp.merge')).toMatchObject([{ detail: 'letters', rep: 'Maya Okonjo' }])
    // Letters that a tablet repeats, or writes before it hears of the merge, go to the provider that stayed.
    expect(await recorded(id, letter)).toMatchObject({ id_pcp: stays.id_pcp })
    expect(await recorded(id, letterTo(goes))).toMatchObject({ id_pcp: stays.id_pcp })
    expect(await lettersOf(id)).toHaveLength(3)
  })

  test('that is refused moves no letter', async () => {
    const [stays, goes] = [await doctor('Refuser'), await doctor('Refused')]
    const { id } = await patientOf(goes.id_pcp)
    await recorded(id, letterTo(goes))
    expect(await toldBy(await merge(stays, { ...goes, version: 7 }))).toEqual([409, 'pcp-changed'])
    expect(await lettersOf(id)).toMatchObject([{ id_pcp: goes.id_pcp }])
  })

  test('leaves no letter behind while users write letters', async () => {
    const [stays, goes] = [await doctor('Busystay'), await doctor('Busygo')]
    const { id } = await patientOf(goes.id_pcp)
    const answers = await Promise.all([
      record(id, letterTo(goes)),
      record(id, letterTo(goes)),
      merge(stays, goes),
      record(id, letterTo(goes)),
      record(id, letterTo(goes)),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await lettersOf(id)).map(({ id_pcp }) => id_pcp)).toEqual([1, 2, 3, 4].map(() => stays.id_pcp))
  })
})
