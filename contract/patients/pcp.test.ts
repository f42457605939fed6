import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  isNpi,
  mergedPcp,
  pcpIdentity,
  pcpInput,
  type PcpInput,
  pcpName,
  pcpSortKey,
  pcpWords,
  readPcpLine,
} from '#contract/patients/pcp.ts'

const marsh = (more: Record<string, unknown> = {}): PcpInput => v.parse(pcpInput, { last_name: 'Marsh', first_name: 'Helen', ...more })
const problemsOf = (given: Record<string, unknown>) =>
  (v.safeParse(pcpInput, { last_name: 'Marsh', ...given }).issues ?? []).map(({ path, message }) => [path?.[0]?.key, message])

describe('an NPI', () => {
  // The first is the example of the standard.
  test.each(['1234567893', '1245319599', '2000000002'])('%s is one', (npi) => expect(isNpi(npi)).toBe(true))

  test('every single wrong digit is noticed, and every swap of two neighbors except 0 and 9', () => {
    const right = '1234567893'
    for (let at = 0; at < right.length; at++) {
      for (let other = 0; other <= 9; other++) {
        const wrong = right.slice(0, at) + String(other) + right.slice(at + 1)
        expect(isNpi(wrong), wrong).toBe(wrong === right)
      }
      const swapped = Array.from(right)
      ;[swapped[at], swapped[at + 1]] = [swapped[at + 1] ?? '', swapped[at] ?? '']
      if (at + 1 < right.length) expect(isNpi(swapped.join('')), swapped.join('')).toBe(false)
    }
  })

  test.each(['', '123456789', '12345678930', '0234567893', '3234567895', 'abcdefghij', '١٢٣٤٥٦٧٨٩٣'])('%j is none', (npi) =>
    expect(isNpi(npi)).toBe(false),
  )
})

describe('the fields of the form', () => {
  test('numbers are stored as digits in any notation, and an empty field is unknown', () => {
    expect(
      marsh({ phone: '+1 (518) 555-0123', fax: '518.555.0124', npi: ' 1234-567-893 ', zip_code: ' 12345', city: '  ', state: '' }),
    ).toEqual({
      ...marsh(),
      phone: '5185550123',
      fax: '5185550124',
      npi: '1234567893',
      zip_code: '12345',
      city: null,
      state: null,
    })
  })

  test.each([
    ['last_name', '  ', 'This field is required'],
    ['npi', '1234567890', 'isn’t a valid NPI. Check the digits'],
    ['npi', '12345', 'must have 10 digits'],
    ['phone', '555-0123', 'must be a phone number of 10 digits'],
    ['fax', 'none', 'must be a phone number of 10 digits'],
    ['zip_code', '1234', 'must be 12345 or 12345-6789'],
    ['state', 'Ontario', 'must be a state'],
    ['practice', 'nul\u0000', 'contains characters that can’t be saved'],
  ])('%s %j is refused', (field, value, message) => {
    expect(problemsOf({ [field]: value })).toEqual([[field, message]])
  })
})

test('a provider is called by first and last name with the credential, and listed by the last name', () => {
  expect(pcpName(marsh({ credential: 'MD' }))).toBe('Helen Marsh, MD')
  expect(pcpName(marsh({ first_name: null }))).toBe('Marsh')
  const keys = [marsh({ last_name: 'Ōmori' }), marsh({ last_name: 'Nowak' }), marsh({ last_name: 'O’Dea' })].map(pcpSortKey)
  expect(keys.toSorted()).toEqual(['nowak\u0001helen', 'odea\u0001helen', 'omori\u0001helen'])
})

test('words of name and practice are kept apart from digits, marks do not matter, and “Dr.” says nothing', () => {
  expect(readPcpLine('Dr. Zoë O’Hara')).toEqual({ words: ['zoe', 'ohara'], digits: '' })
  expect(readPcpLine('(518) 555-0123')).toEqual({ words: [], digits: '5185550123' })
  expect(readPcpLine('marsh 1234567893')).toEqual({ words: ['marsh'], digits: '1234567893' })
  expect(pcpWords(marsh({ practice: 'Saint-Anne’s Clinic' }))).toBe('marsh helen saint annes clinic')
})

describe('two providers that become one', () => {
  test('the one that stays keeps its own fields and gets the missing ones', () => {
    const stays = marsh({ phone: '5185550123', npi: '1234567893' })
    const goes = marsh({ last_name: 'March', phone: '5185550999', fax: '5185550124', specialty: 'Family medicine' })
    expect(mergedPcp(stays, goes)).toEqual({ ...stays, fax: '5185550124', specialty: 'Family medicine' })
  })

  test('it gets a whole address or none', () => {
    const goes = marsh({ street_address: '1 Depot Rd', city: 'Larkspur', state: 'IL', zip_code: '60123' })
    expect(mergedPcp(marsh({ street_address: '9 Oak St', city: 'Millbrook' }), goes)).toMatchObject({ city: 'Millbrook', zip_code: null })
    expect(mergedPcp(marsh({ city: 'Millbrook' }), goes)).toMatchObject({
      street_address: '1 Depot Rd',
      city: 'Larkspur',
      zip_code: '60123',
    })
    expect(mergedPcp(marsh({ city: 'Millbrook' }), marsh({ city: 'Larkspur', state: 'IL' }))).toMatchObject({
      city: 'Millbrook',
      state: null,
    })
    expect(mergedPcp(marsh(), goes)).toMatchObject({ street_address: '1 Depot Rd', city: 'Larkspur', state: 'IL', zip_code: '60123' })
  })
})

test('a row has the same identity in every file, by NPI or by name and number', () => {
  expect(pcpIdentity(marsh({ npi: '1234567893' }))).toBe(pcpIdentity(marsh({ last_name: 'Marsh-Lowe', npi: '1234567893' })))
  expect(pcpIdentity(marsh({ phone: '518-555-0123' }))).toBe(pcpIdentity(marsh({ last_name: 'MARSH', phone: '5185550123', city: 'X' })))
  expect(pcpIdentity(marsh({ practice: 'A' }))).not.toBe(pcpIdentity(marsh({ practice: 'B' })))
})
