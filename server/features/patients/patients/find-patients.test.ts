import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { isMatch, type PatientCriteria, patientPageSize, readCriteria, readLine } from '#contract/patients/patient-search.ts'
import { patient } from '#contract/patients/patients.ts'
import { SeededRandom } from '#server/demo/seeded-random.ts'
import { added, closeRoom, openRoom, refusalOf, server, tokens } from '#tests/support/patient-room.ts'

beforeAll(openRoom)
afterAll(closeRoom)

describe('finding patients', () => {
  const names = [
    'Anna',
    'Ana',
    'Annabel',
    'José',
    'Jöse',
    'D’Arcy',
    'Mary Ann',
    'Søren',
    'Zoë',
    'Nguyễn',
    'O’Hara',
    'van der Berg',
    '李',
    'Éowyn',
  ]

  async function search(line: string, token = tokens.maya) {
    const answer = await server.request('GET', `/api/home/patient/search?query=${encodeURIComponent(line)}`, { token })
    return (await answer.json()) as { patients: { id: string; first_name: string }[]; total: number; page: number }
  }

  test('ignores accents, case, apostrophes, the order of names, and the format of numbers and dates', async () => {
    const made = await added({ first_name: 'Zoë', last_name: 'O’Hara-Łukasz', dob: '1971-07-04', phone: '518 555 0199' })
    for (const line of [
      'zoe ohara',
      "O'HARA zo",
      'lukasz',
      'hara'.replace('hara', 'oh'),
      '07/04/1971 zoe',
      '518.555.0199',
      '(518) 555-0199 ohara',
      '7/4/71',
    ]) {
      expect(
        (await search(line)).patients.map(({ id }) => id),
        line,
      ).toContain(made.id)
    }
    for (const line of ['zoe smith', '07/05/1971', '518 555 0198', 'ara'])
      expect(
        (await search(line)).patients.map(({ id }) => id),
        line,
      ).not.toContain(made.id)
    expect(await search('  ')).toEqual({ patients: [], total: 0, page: 1 })
  })

  test('finds the same patients at the server as on a tablet', async () => {
    const random = new SeededRandom('finding patients')
    for (let nth = 0; nth < 60; nth += 1) {
      await added({
        first_name: random.pick(names),
        last_name: random.chance(0.1) ? null : random.pick(names),
        middle_name: random.chance(0.3) ? random.pick(names) : null,
        dob: random.chance(0.8) ? `19${random.int(40, 99)}-0${random.int(1, 9)}-1${random.int(0, 9)}` : null,
        city: random.pick(['Millbrook Falls', 'Larkspur', 'São Tomé']),
        zip_code: random.pick(['12345', '12399-0001', '60001']),
        phone: `51855501${random.int(10, 99)}`,
        inactive: random.chance(0.1),
        priority: random.pick(['normal', 'vip']),
        ssn: null,
      })
    }
    const rows = await server.db.pool.selectFrom('patients').selectAll().execute()
    const everyone = rows.map((row) => v.parse(patient, row))
    const today = new Date(server.clock.now()).toISOString().slice(0, 10)
    const lines = [
      'an',
      'jose',
      'darcy',
      'mary ann',
      'ann mary',
      'soren',
      'zo',
      'nguyen',
      'van berg',
      '李',
      'e',
      '518',
      '1970',
      'berg 12/12/1950',
      '#7',
      '0012',
      'an 1951',
    ]
    for (const line of lines) {
      const expected = everyone.filter((row) => isMatch(row, readLine(line), today)).map(({ id }) => id)
      const answer = await search(line)
      expect([answer.total, answer.patients.length], line).toEqual([expected.length, Math.min(expected.length, patientPageSize)])
      expect(expected, line).toEqual(expect.arrayContaining(answer.patients.map(({ id }) => id)))
    }
    const criteria: PatientCriteria[] = [
      { last_name: 'o’h' },
      { name: 'ana', city: 'lark' },
      { city: 'Sao' },
      { zip: '123' },
      { zip: '%' },
      { age: '56' },
      { priority: 'vip' as const, inactive: 'true' as const },
      { dob: '1950-01-10', name: 'a' },
      { address: 'quarry mill' },
      { state: 'NY' as const, phone: '5550' },
      { preferred_location: '1' },
      { preferred_provider: '3' },
      { last_exam: '01/01/2020' },
      { dob: '1951' },
      { phone: '9', name: 'a' },
    ]
    for (const one of criteria) {
      const expected = everyone.filter((row) => isMatch(row, readCriteria(one), today))
      const answer = await server.request('GET', `/api/patient/lookup?${new URLSearchParams(Object.entries(one))}`, { token: tokens.maya })
      expect(((await answer.json()) as { total: number }).total, JSON.stringify(one)).toBe(expected.length)
    }
  })

  test('by insurance and coverage finds the patients with such a policy on file', async () => {
    const insure = async (id_patient: string, company_name: string, plan_name: string, coverage_type_id: number) => {
      const body = { id_patient, company_name, plan_name, coverage_type_id, member_id: 'M1', priority: 'primary' }
      expect((await server.request('POST', '/api/patient/insurance', { token: tokens.ana, body })).status).toBe(200)
    }
    const [first, second, none] = [await added(), await added(), await added()]
    await insure(first.id, 'Vista Überland', 'Gold Choice', 1)
    await insure(second.id, 'Vista Medical', 'Basic', 5)
    const found = async (asked: string) => {
      const answer = await server.request('GET', `/api/patient/lookup?name=zuzana&zip=12345&${asked}`, { token: tokens.maya })
      return ((await answer.json()) as { patients: { id: string }[] }).patients.map(({ id }) => id)
    }
    expect((await found('insurance_name=VISTA')).sort()).toEqual([first.id, second.id].sort())
    expect(await found('insurance_name=uberland')).toEqual([first.id])
    expect(await found('insurance_name=gold%20vista')).toEqual([first.id])
    expect(await found('insurance_name=ista')).toEqual([])
    expect(await found('insurance_name=%25')).toContain(none.id)
    expect(await found('coverage=Medicaid')).toEqual([second.id])
    expect(await found('insurance_name=vista&coverage=vision')).toEqual([first.id])
    expect(await found('coverage=medicai')).toEqual([])
    expect(await found('insurance_name=gold&coverage=medicaid')).toEqual([])
    expect(await found('')).toContain(none.id)
  })

  test('gives pages, with each patient on one of them', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((page) => server.request('GET', `/api/patient/lookup?state=NY&page=${page}`, { token: tokens.maya })),
    )
    const read = await Promise.all(pages.map(async (page) => (await page.json()) as { patients: { id: string }[]; total: number }))
    const ids = read.flatMap(({ patients }) => patients.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBe(Math.min(3 * patientPageSize, read[0]?.total ?? 0))
  })

  test.each([
    ['dob', 'yesterday'],
    ['phone', 'none'],
    ['last_exam', '13/13/2020'],
    ['age', '-1'],
    ['state', 'ZZ'],
    ['page', '0'],
  ])('by a %s that is %s is refused at that field', async (field, value) => {
    const answer = await server.request('GET', `/api/patient/lookup?${field}=${encodeURIComponent(value)}`, { token: tokens.maya })
    expect(answer.status).toBe(422)
    expect((await refusalOf(answer)).fields?.map(({ path }) => path)).toEqual([`query.${field}`])
  })
})
