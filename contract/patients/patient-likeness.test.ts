import { describe, expect, test } from 'vitest'
import { isOnFile, likelyCriteria, likeness } from '#contract/patients/patient-likeness.ts'

const abigail = { first_name: 'Abigail', last_name: 'Carrow', pref: 'Abby', dob: '1980-02-28', phone: '5185550123' }

describe('who might be the same person', () => {
  test.each([
    [{ first_name: 'abigail', last_name: 'CARROW', dob: '1980-02-28' }, 'name'],
    [{ first_name: 'Carrow', last_name: 'Abigail', dob: '1980-02-28' }, 'name'],
    [{ first_name: 'Abby', last_name: 'Carrow', dob: '1980-02-28' }, 'name'],
    [{ first_name: 'Abigail', last_name: 'Carrow', dob: '1980-02-29' }, null],
    [{ first_name: 'Abigail', last_name: 'Carrow', dob: null }, null],
    [{ first_name: 'Abigail', last_name: null, dob: '1980-02-28' }, null],
    [{ first_name: 'Brian', last_name: 'Carrow', dob: '1980-02-28' }, null],
    [{ first_name: 'Someone', phone_home: '+1 (518) 555-0123' }, 'phone'],
    [{ first_name: 'Abigail', last_name: 'Carrow', dob: '1980-02-28', cell_work: '518.555.0123' }, 'both'],
    [{ first_name: 'Someone', phone: '518555012' }, null],
    [{}, null],
  ] as const)('%j', (other, expected) => {
    expect(likeness(other, abigail)).toBe(expected)
    expect(likeness(abigail, other)).toBe(expected)
  })

  test.each([
    ['Zoë', 'O’Hara', 'Zoe', "O'Hara"],
    ['Mary Ann', 'van der Berg', 'Maryann', 'VAN DER BERG'],
    ['Łukasz', 'Øster-Weiß', 'Lukasz', 'Oster Weiss'],
    ['José', 'Nuñez', 'José', 'Nun\u0303ez'],
    ['小明', '王', '王', '小明'],
    ['X', '', 'x', null],
    ['Ｚｏｅ', 'Smith', 'Zoe', 'Smith'],
  ])('%s %s is %s %s', (first, last, otherFirst, otherLast) => {
    const [one, other] = [
      { first_name: first, last_name: last, dob: '2001-01-01' },
      { first_name: otherFirst, last_name: otherLast, dob: '2001-01-01' },
    ]
    expect(likeness(one, other)).toBe('name')
  })

  test.each([
    ['🙂', '—', '🙃', '…'],
    ["'", '%', '%', "''"],
    ['小明', '王', '小红', '王'],
    ["Robert'); DROP TABLE patients;--", 'x', 'Robert', 'x'],
    ['a b', 'c', 'a', 'b c'],
  ])('%s %s is not %s %s', (first, last, otherFirst, otherLast) => {
    const born = { dob: '2001-01-01' }
    expect(likeness({ ...born, first_name: first, last_name: last }, { ...born, first_name: otherFirst, last_name: otherLast })).toBe(null)
  })

  test('a number that is nobody’s makes nobody alike', () => {
    expect(likeness({ phone: '0000000000' }, { phone: '0000000000' })).toBe(null)
    expect(likelyCriteria({ first_name: 'A', phone: '9999999999' })).toEqual([])
  })

  test.each(['0001-02-28', '0198-02-28', '1980-02-30', '19', ''])('of a birth date that is not whole yet (%s) nothing is asked', (dob) => {
    expect(likelyCriteria({ first_name: 'Abigail', last_name: 'Carrow', dob })).toEqual([])
  })

  test('what is asked for finds the inactive too, each number once', () => {
    expect(likelyCriteria({ ...abigail, phone_home: '(518) 555-0123', cell_work: '2025550199' })).toEqual([
      { dob: '1980-02-28', inactive: 'true' },
      { phone: '5185550123', inactive: 'true' },
      { phone: '2025550199', inactive: 'true' },
    ])
    expect(likelyCriteria({ dob: '1980-02-28' })).toEqual([])
  })
})

describe('who is on file beyond asking', () => {
  const home = { street_address: '7 Depot Rd', address_line_2: null, city: 'Larkspur' }
  const elsewhere = { ...home, street_address: '8 Depot Rd' }
  const dated = { ...abigail, ...home }
  const undated = { ...dated, dob: null }

  test.each([
    ['of the same name and birth date', { ...elsewhere, first_name: 'carrow', last_name: 'ABIGAIL', dob: '1980-02-28' }, dated, true],
    ['called by what they are called', { ...elsewhere, first_name: 'Abby', last_name: 'Carrow', dob: '1980-02-28' }, dated, true],
    ['of another birth date', { ...dated, dob: '1980-02-29' }, dated, false],
    ['of another first name: a number is a family’s', { ...dated, first_name: 'Brian', pref: null }, dated, false],
    ['where only one has a birth date', undated, dated, false],
    [
      'without birth dates, of one number',
      { ...elsewhere, first_name: 'Abigail', last_name: 'Carrow', cell_work: '518-555-0123' },
      undated,
      true,
    ],
    ['without birth dates, of one address', { ...home, first_name: 'Abigail', last_name: 'Carrow' }, undated, true],
    ['without birth dates, of neither', { ...elsewhere, first_name: 'Abigail', last_name: 'Carrow' }, undated, false],
  ])('%s', (_, one, other, expected) => {
    expect(isOnFile(one, other)).toBe(expected)
    expect(isOnFile(other, one)).toBe(expected)
  })
})
