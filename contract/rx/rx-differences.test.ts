import * as v from 'valibot'
import { expect, test } from 'vitest'
import { type Prescription, prescription, rxInput } from '#contract/rx/prescription.ts'
import { formerOf, rxDifferences } from './rx-differences.ts'

const spectacle = (od: object, os: object = {}) => v.parse(rxInput, { rx_kind: 'spectacle', od, os })

function signed(nth: number, signed_at: string | null, more: Partial<Prescription> = {}): Prescription {
  return v.parse(prescription, {
    rx_kind: 'spectacle',
    id_rx: `0190a000-0000-7000-8000-00000000000${nth}`,
    id_patient: '0190a000-0000-7000-8000-0000000000aa',
    status: signed_at ? 'superseded' : 'draft',
    signature: null,
    signed_by: null,
    signed_at,
    created_at: '2020-01-01T10:00:00.000Z',
    created_by: null,
    version: 1,
    withdrawn: null,
    ...more,
  })
}

test('the former prescription is the last one signed before, of the same kind, and right', () => {
  const [first, second, third] = [
    signed(1, '2020-05-01T10:00:00.000Z'),
    signed(2, '2022-05-01T10:00:00.000Z'),
    signed(3, '2024-05-01T10:00:00.000Z', { status: 'active' }),
  ]
  const wrong = signed(4, '2023-05-01T10:00:00.000Z', { status: 'entered_in_error' })
  const lenses = signed(5, '2023-06-01T10:00:00.000Z', { rx_kind: 'contact_lens' })
  const draft = signed(6, null)
  const all = [draft, third, lenses, wrong, first, second]
  expect([draft, third, second, first].map((rx) => formerOf(all, rx)?.id_rx)).toEqual([third.id_rx, second.id_rx, first.id_rx, undefined])
  expect(formerOf(all, lenses)).toBeNull()
})

test('differences are listed by eye and field, and the other notation is no difference', () => {
  const before = spectacle({ sphere: 2000, cylinder: -1500, axis: 30, add: 1000 }, { sphere: -1000 })
  expect(rxDifferences(spectacle({ sphere: 500, cylinder: 1500, axis: 120, add: 1000 }, { sphere: -1000 }), before)).toEqual([])
  expect(
    rxDifferences(
      spectacle({ sphere: 2000, cylinder: -1500, axis: 35, add: 1000 }, { sphere: -1250, prism_v: 500, prism_v_base: 'up' }),
      before,
    ),
  ).toEqual([
    { eye: 'od', field: 'axis' },
    { eye: 'os', field: 'sphere' },
    { eye: 'os', field: 'prism_v' },
    { eye: 'os', field: 'prism_v_base' },
  ])
})
