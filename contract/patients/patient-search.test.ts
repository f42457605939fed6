import { expect, test } from 'vitest'
import { criteriaOfLine, problemsOf, readableOf } from './patient-search.ts'

test('every field that cannot match is reported, and the search uses the rest', () => {
  const criteria = { name: 'zo', dob: '2/31/1980', phone: 'none', age: '4x', last_exam: 'lately', city: '' }
  expect(problemsOf(criteria)).toEqual({
    dob: 'must be a date or a year, like 02/28/1980',
    phone: 'must have digits',
    age: 'must be a number of years',
    last_exam: 'must be a date, like 02/28/1980',
  })
  expect(readableOf(criteria)).toEqual({ name: 'zo', city: '' })
  expect(problemsOf({ dob: '2/28/80', phone: '(518) 555', age: ' 46 ', last_exam: '' })).toEqual({})
})

test('one line goes into the fields as typed', () => {
  expect(criteriaOfLine('O’Hara Zoë, 02/28/1980 (518) 555-0123')).toEqual({ name: 'O’Hara Zoë', dob: '1980-02-28', phone: '5185550123' })
  expect(criteriaOfLine(' - ')).toEqual({})
  expect(criteriaOfLine('#349')).toEqual({ phone: '349' })
  expect(criteriaOfLine('zoe 1980')).toEqual({ name: 'zoe', dob: '1980' })
  expect(criteriaOfLine('1980')).toEqual({ phone: '1980' })
})
