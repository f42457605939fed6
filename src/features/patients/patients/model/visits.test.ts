import { expect, test } from 'vitest'
import type { AccessEntry } from '../queries.ts'
import { visitsOf } from './visits.ts'

const entry = (id: number, minute: number, action: string, more: Partial<AccessEntry> = {}): AccessEntry => ({
  id,
  at: new Date(Date.UTC(2026, 10, 25, 14, minute)).toISOString(),
  rep: 'Maya Okonjo',
  store_name: 'Downtown',
  device_id: 'a',
  action,
  detail: action === 'patient.view' ? 'record' : '',
  reason: '',
  offline: false,
  delivered_by: null,
  ...more,
})
const told = (entries: AccessEntry[]) => visitsOf(entries).map(({ first, also }) => [first.id, also.map(({ id }) => id)])

test('one view of a record is one visit, with all the parts that the page read', () => {
  expect(
    told([entry(4, 5, 'letter.view'), entry(3, 5, 'invoice.view'), entry(2, 5, 'appointment.view'), entry(1, 5, 'patient.view')]),
  ).toEqual([[1, [4, 3, 2]]])
})

test('a change ends a visit and gets its own line', () => {
  expect(told([entry(3, 7, 'rx.view'), entry(2, 6, 'patient.edit'), entry(1, 5, 'patient.view')])).toEqual([
    [3, []],
    [2, []],
    [1, []],
  ])
})

test.each([
  ['another person', { rep: 'Ben Halvorsen' }],
  ['another tablet', { device_id: 'b' }],
  ['another reason', { reason: 'Insurance called' }],
  ['another time of the day', { at: '2026-11-25T13:00:00.000Z' }],
])('%s is another visit', (_, more) => {
  expect(told([entry(2, 6, 'invoice.view'), entry(1, 5, 'patient.view', more)])).toEqual([
    [2, []],
    [1, []],
  ])
})
