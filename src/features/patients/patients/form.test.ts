import { describe, expect, test } from 'vitest'
import type { Patient } from '#contract/patients/patient.ts'
import { stateCodes } from '#contract/core/us-states.ts'
import { draftOf, readDraft } from './model/draft.ts'
import { changesOf, formOf, formOfSearch, problemsAtFields, readForm } from './form.ts'

const today = '2026-11-20'
const filled = {
  ...formOf({}),
  first_name: ' Zoë ',
  street_address: '12 Quarry Ln',
  city: 'Larkspur',
  state: 'NY',
  zip_code: '12345',
  gender: 'Female',
}
const problemsOf = (change: object) => {
  const read = readForm({ ...filled, ...change }, {}, today)
  return read.ok ? {} : read.problems
}

describe('the patient form', () => {
  test('an empty form reports the specification’s words at its fields, and does not require the last name', () => {
    const read = readForm(formOf({}), {}, today)
    expect(read).toEqual({
      ok: false,
      problems: {
        first_name: 'This field is required',
        street_address: 'This field is required',
        city: 'This field is required',
        zip_code: 'This field is required',
        state: 'state is required',
        gender: 'This field is required',
      },
    })
  })

  test.each([
    [{ zip_code: '1234' }, { zip_code: 'must be 12345 or 12345-6789' }],
    [{ zip_code: '12345-6789' }, {}],
    [{ dob: '2026-11-21' }, { dob: 'Date of birth can’t be in the future' }],
    [{ dob: '1900-01-01' }, { dob: 'can’t be more than 120 years ago' }],
    [{ dob: '2026-02-30' }, { dob: 'must be a date' }],
    [{ phone: '555-0123' }, { phone: 'must be a phone number of 10 digits' }],
    [{ phone: '+1 (518) 555-0123' }, {}],
    [{ email: 'zoe@' }, { email: 'must be an email address' }],
    [{ ssn: '123-45-678' }, { ssn: 'must have 9 digits' }],
    [{ first_name: '   ' }, { first_name: 'This field is required' }],
    [{ first_name: 'x'.repeat(101) }, { first_name: expect.any(String) as unknown }],
    [{ state: 'ZZ' }, { state: 'must be a state' }],
  ])('%j: %j', (change, expected) => {
    expect(problemsOf(change)).toEqual(expected)
  })

  test('an empty field becomes null, and typed values are normalized', () => {
    const read = readForm({ ...filled, phone: '(518) 555-0123', ssn: '123-45-6789', preferred_provider_id: '4' }, {}, today)
    expect(read).toMatchObject({
      ok: true,
      patient: {
        first_name: 'Zoë',
        last_name: null,
        middle_name: null,
        dob: null,
        assigned_sex: null,
        pronoun: null,
        email: null,
        phone: '5185550123',
        ssn: '123456789',
        preferred_provider_id: 4,
        mailing_list: false,
      },
    })
    expect(stateCodes).toHaveLength(50)
  })
})

test('an edit holds only the changed fields, and keeps the values that the form does not show', () => {
  const read = readForm(filled, {}, today)
  if (!read.ok) throw new Error('it is filled in')
  const { ssn: _ssn, ...fields } = read.patient
  const base = { ...fields, hipaa_ack_at: '2026-01-01', phone: '5185550123' } as unknown as Patient
  const unchanged = readForm(formOf(base), base, today)
  expect(unchanged.ok && changesOf(base, unchanged.patient)).toEqual({})
  const changed = readForm({ ...formOf(base), city: 'Elsewhere', phone: '', ssn: '987654321' }, base, today)
  expect(changed.ok && changesOf(base, changed.patient)).toEqual({
    city: { from: 'Larkspur', to: 'Elsewhere' },
    phone: { from: '5185550123', to: null },
    ssn: { from: null, to: '987654321' },
  })
})

test.each([
  [
    { name: 'Carrow, Abigail', dob: '02/28/1980', phone: '5185550123' },
    { last_name: 'Carrow', first_name: 'Abigail', dob: '1980-02-28', phone: '(518) 555-0123' },
  ],
  [{ name: 'Mary Ann Carrow' }, { last_name: 'Carrow', first_name: 'Mary Ann' }],
  [{ name: 'Zoë' }, { last_name: '', first_name: 'Zoë' }],
  [
    { name: 'Zoë', last_name: 'O’Hara', dob: 'yesterday' },
    { last_name: 'O’Hara', first_name: 'Zoë', dob: '' },
  ],
  [
    { address: '1 Mill Ln', city: 'Larkspur', state: 'NY' as const, zip: '12345' },
    { street_address: '1 Mill Ln', city: 'Larkspur', state: 'NY', zip_code: '12345' },
  ],
])('a new patient starts with the search criteria: %j', (criteria, expected) => {
  expect(formOfSearch(criteria)).toMatchObject(expected)
})

test('a problem that the server found appears at its field', () => {
  const fields = [
    { path: 'body.patient.zip_code', message: 'must be 12345 or 12345-6789' },
    { path: 'body.changes.dob', message: 'Date of birth can’t be in the future' },
    { path: 'body.gender', message: 'Gender is required' },
    { path: 'body', message: 'is too odd' },
  ]
  expect(problemsAtFields(fields)).toEqual({
    zip_code: 'must be 12345 or 12345-6789',
    dob: 'Date of birth can’t be in the future',
    gender: 'This field is required',
    '': 'is too odd',
  })
})

test('a draft keeps all but the SSN, and an app version with other fields can read it', () => {
  const draft = draftOf('one', null, { ...filled, ssn: '123456789' })
  expect(JSON.stringify(draft)).not.toContain('123456789')
  expect(readDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft)
  expect(draft.hadSsn).toBe(true)
  const odd = { ...draft, form: { first_name: 'Zoë', mailing_list: 'yes', unheard_of: 'x' } }
  expect(readDraft(odd)?.form).toEqual({ ...formOf({}), first_name: 'Zoë' })
  expect(readDraft({ form: 1 })).toBeNull()
  expect(readDraft(null)).toBeNull()
})
