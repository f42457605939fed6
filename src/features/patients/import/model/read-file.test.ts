import { describe, expect, test } from 'vitest'
import { checkRows, sendRows } from '../actions.ts'
import { givenBy, guessColumns, type Mapping } from './columns.ts'
import { patientsKind } from './patients.ts'
import { nameParts, pcpsKind } from './pcps.ts'
import { readFile, readTable, UnreadableFile } from './read-file.ts'

const header = ['Id', 'BIRTHDATE', 'First', 'Last name', 'Sex', 'Address', 'City', 'State', 'Zip Code', 'Mobile', 'Shoe size']
const mapping = guessColumns(patientsKind, header)
const readRow = (cells: string[], of: Mapping, day: string) => patientsKind.readRow(givenBy(cells, of), day)
const good = ['7', '5/25/1989', 'Inés', 'Soto', 'f', '4 Depot Rd', 'Chicopee', 'massachusetts', '1013', '(518) 555-0123', '38']
const today = '2026-11-22'

describe('a file', () => {
  test('rows keep the line that they start on, and quoted text may hold anything', () => {
    const { headers, lines } = readTable('\u0061;b\r\n"one\r\ntwo";x\r\n\r\n;\r\nlast;"y ""z"""\r\n')
    expect(headers).toEqual(['a', 'b'])
    expect(lines).toEqual([
      { line: 2, cells: ['one\r\ntwo', 'x'], problem: null },
      { line: 6, cells: ['last', 'y "z"'], problem: null },
    ])
  })

  test('a row with unmatched quotation marks or more columns than the header reports it', () => {
    expect(readTable('a,b\n1,2,3\n4,5,\n').lines.map(({ problem }) => problem !== null)).toEqual([true, false])
    expect(readTable('a,b\n1,"2\n').lines[0]?.problem).toMatch('quotation marks')
  })

  test.each([
    ['UTF-8', new TextEncoder().encode('\ufeffname,b\nInés,1')],
    ['Windows-1252', new Uint8Array(Buffer.from('name,b\nInés,1', 'latin1'))],
    ['UTF-16', new Uint8Array(Buffer.from('\ufeffname,b\nInés,1', 'utf16le'))],
  ])('a file in %s is read correctly', async (encoding, bytes) => {
    expect(await readFile(new Blob([bytes]))).toMatchObject({ encoding, headers: ['name', 'b'], lines: [{ cells: ['Inés', '1'] }] })
  })

  test.each(['', 'a,b', 'PK\u0003\u0000'])('%j is refused with a message', (text) => {
    expect(() => readTable(text)).toThrow(UnreadableFile)
  })
})

describe('columns', () => {
  test('the headers tell the columns, and each field gets one', () => {
    expect(mapping).toEqual(
      'source_id dob first_name last_name gender street_address city state zip_code phone'.split(' ').concat([null as never]),
    )
    expect(guessColumns(patientsKind, ['Phone', 'Mobile'])).toEqual(['phone', null])
    expect(patientsKind.missing(new Set(guessColumns(patientsKind, ['first name', 'zip']).filter((target) => target !== null)))).toEqual([
      'Street Address',
      'City',
      'State',
      'Gender',
    ])
  })

  test('a row is read with the rules of the form, which corrects how a value is written', () => {
    expect(readRow(good, mapping, today).row).toMatchObject({
      source_id: '7',
      patient: { dob: '1989-05-25', gender: 'Female', state: 'MA', zip_code: '01013', phone: '5185550123' },
    })
  })

  test.each([
    [1, '5/25/89', 'DOB'],
    [1, '2/30/1989', 'DOB'],
    [1, '2/3/2030', 'DOB'],
    [2, '', 'First Name'],
    [4, 'q', 'Gender'],
    [7, 'Ontario', 'State'],
    [8, 'K1A 0B1', 'ZIP'],
    [9, '555', 'Phone'],
  ])('column %i with %j is reported as %s', (at, value, field) => {
    const { problems } = readRow(good.with(at, value), mapping, today)
    expect(problems?.map((problem) => problem.field)).toEqual([field])
    expect(problems?.[0]?.message).not.toBe('')
  })
})

describe('rows', () => {
  const line = (at: number, cells: string[]) => ({ line: at, cells, problem: null })

  test('each row is checked: a problem names line and field, a duplicate names both lines', async () => {
    const lines = [
      line(2, good),
      line(3, good.with(8, 'x').with(4, '')),
      line(4, good.with(10, '39')),
      { ...line(5, good), problem: 'broken' },
    ]
    const checked = await checkRows(patientsKind, { headers: header, lines, encoding: 'UTF-8' }, mapping, today)
    expect(checked.good.map((row) => row.line)).toEqual([2])
    expect(checked.repeated).toEqual([{ line: 4, first: 2 }])
    expect(checked.badRows).toBe(2)
    expect(checked.bad.map((problem) => `${problem.line} ${problem.field}`).sort()).toEqual(['3 Gender', '3 ZIP', '5 Row'])
  })

  test('rows are sent batch by batch until the user cancels', async () => {
    const lines = Array.from({ length: 120 }, (_, at) => line(at + 2, good.with(0, String(at))))
    const { good: rows } = await checkRows(patientsKind, { headers: header, lines, encoding: 'UTF-8' }, mapping, today)
    const controller = new AbortController()
    const sizes: number[] = []
    const call = (_: unknown, { body }: { body: { rows: unknown[] } }) => {
      sizes.push(body.rows.length)
      if (sizes.length === 2) controller.abort()
      return Promise.resolve({ ok: true, value: { results: body.rows.map(() => ({ verdict: 'imported', id_patient: null })) } })
    }
    const done: number[] = []
    const sent = await sendRows(patientsKind, { call } as never, rows, {
      checkOnly: false,
      signal: controller.signal,
      onProgress: (at) => done.push(at),
    })
    expect([sizes, done, sent.told.length, sent.told.at(-1)?.line]).toEqual([[50, 50], [50, 100], 100, 101])
  })

  test('a row that the server refuses is reported with its line', async () => {
    const { good: rows } = await checkRows(patientsKind, { headers: header, lines: [line(9, good)], encoding: 'UTF-8' }, mapping, today)
    const fields = [{ path: 'body.rows.0.patient.dob', message: 'can’t be in the future' }]
    const call = () => Promise.resolve({ ok: false, failure: { kind: 'refused', message: 'no', fields } })
    const sent = await sendRows(patientsKind, { call } as never, rows, {
      checkOnly: true,
      signal: new AbortController().signal,
      onProgress: () => {},
    })
    expect(sent.problems).toEqual([{ line: 9, field: 'DOB', message: 'can’t be in the future' }])
  })
})

describe('primary care providers', () => {
  const headers = ['Provider Name', 'NPI', 'Practice Name', 'Office Phone', 'Fax', 'Address 1', 'City', 'ST', 'Zip', 'Beds']
  const row = [
    'Dr. Helen Marsh, MD',
    '1234567893',
    'Oak Clinic',
    '(518) 555-0123',
    '',
    '1 Depot Rd',
    'Chicopee',
    'massachusetts',
    '1013',
    '4',
  ]
  const columns = guessColumns(pcpsKind, headers)
  const read = (cells: string[]) => pcpsKind.readRow(givenBy(cells, columns), today)

  test('a row is read with the rules of the form, also from a whole name', () => {
    expect(columns).toEqual(['full_name', 'npi', 'practice', 'phone', 'fax', 'street_address', 'city', 'state', 'zip_code', null])
    expect(pcpsKind.missing(new Set(['npi']))).toEqual(['Last name or Full name'])
    expect(read(row).row).toMatchObject({
      last_name: 'Marsh',
      first_name: 'Helen',
      credential: 'MD',
      phone: '5185550123',
      fax: null,
      state: 'MA',
      zip_code: '01013',
      npi: '1234567893',
    })
  })

  test.each([
    [0, '', 'Last name'],
    [1, '1234567890', 'NPI'],
    [3, '555', 'Phone'],
    [7, 'Ontario', 'State'],
  ])('column %i with %j is reported as %s', (at, value, field) => {
    expect(read(row.with(at, value)).problems?.map((problem) => problem.field)).toEqual([field])
  })

  test.each([
    ['Marsh, Helen, MD', 'Marsh', 'Helen', 'MD'],
    ['Helen Marsh MD', 'Marsh', 'Helen', 'MD'],
    ['MARSH, HELEN', 'MARSH', 'HELEN', null],
    ['HELEN VU', 'VU', 'HELEN', null],
    ['dr Zoë O’Hara', 'O’Hara', 'Zoë', null],
    ['Owen Kettering, PA-C', 'Kettering', 'Owen', 'PA-C'],
    ['Helen Marsh, MD, PhD', 'Helen Marsh', 'MD PhD', null],
    ['Cher', 'Cher', null, null],
  ])('the parts of %j are read', (given, last_name, first_name, credential) => {
    expect(nameParts(given)).toEqual({ last_name, first_name, credential })
  })

  test('two rows with one NPI are reported with both lines', async () => {
    const lines = [row, row.with(0, 'Marsh-Lowe, Helen')].map((cells, at) => ({ line: at + 2, cells, problem: null }))
    const checked = await checkRows(pcpsKind, { headers, lines, encoding: 'UTF-8' }, columns, today)
    expect([checked.good.length, checked.repeated]).toEqual([1, [{ line: 3, first: 2 }]])
  })
})
