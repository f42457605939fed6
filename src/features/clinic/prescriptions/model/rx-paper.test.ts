import * as v from 'valibot'
import { expect, test } from 'vitest'
import { type Prescription, prescription } from '#contract/rx/prescription.ts'
import { rxPaper } from './rx-paper.ts'

const glasses: Prescription = v.parse(prescription, {
  rx_kind: 'spectacle',
  exam_date: '2026-11-20',
  issue_date: '2026-11-20',
  expiry_date: '2028-11-20',
  notes_to_optician: 'Thin lenses',
  notes_internal: 'Difficult',
  od: { sphere: -2250, cylinder: -500, axis: 7 },
  os: { sphere: -2000 },
  id_rx: '0190a000-0000-7000-8000-0000000000aa',
  id_patient: '0190a000-0000-7000-8000-0000000000bb',
  status: 'active',
  signature: { kind: 'typed', name: 'Iris Lindqvist' },
  signed_by: 'Iris Lindqvist',
  signed_at: '2026-11-20T10:00:00.000Z',
  created_at: '2026-11-20T10:00:00.000Z',
  created_by: 'Iris Lindqvist',
  version: 2,
  withdrawn: null,
})
const parts = {
  patient: 'Abigail Stone',
  storeName: 'Harbour Street',
  providerName: 'Iris Lindqvist',
  notation: 'minus',
  timeZone: 'America/New_York',
} as const
const paperOf = (more: Partial<Prescription> = {}, today = '2026-11-21') => rxPaper({ ...glasses, ...more }, today, parts)
const textsOf = (more: Partial<Prescription>, today?: string) =>
  paperOf(more, today).flatMap((block) => (block.kind === 'text' ? [block.text] : []))

test('a prescription of glasses has powers in both forms, facts without internal notes, and its signature', () => {
  expect(paperOf()).toEqual([
    { kind: 'heading', text: 'Harbour Street' },
    { kind: 'facts', facts: [['Prescription for', 'Abigail Stone']] },
    {
      kind: 'table',
      columns: [{ head: 'Eye', as: 'label' }, { head: 'Sphere' }, { head: 'Cylinder' }, { head: 'Axis' }],
      rows: [
        ['OD, right', '-2.25', '-0.50', '007'],
        ['OS, left', '-2.00', '—', '—'],
      ],
    },
    { kind: 'text', text: 'Minus-cylinder form' },
    {
      kind: 'facts',
      facts: [
        ['Kind', 'Glasses'],
        ['Provider', 'Iris Lindqvist'],
        ['Lens type', 'Single vision'],
        ['Exam date', '11/20/2026'],
        ['Issue date', '11/20/2026'],
        ['Expires', '11/20/2028'],
        ['Notes to optician', 'Thin lenses'],
        ['Status', 'Active'],
      ],
    },
    { kind: 'signature', mark: 'Iris Lindqvist', caption: 'Signed by Iris Lindqvist on 11/20/2026' },
    { kind: 'text', text: 'Prescriber: Iris Lindqvist\nHarbour Street' },
    { kind: 'text', text: 'Plus-cylinder form: OD -2.75 +0.50 x 097; OS -2.00 SPH' },
  ])
})

test('the paper of contact lenses has a row for each field, and a drawn signature as strokes', () => {
  const paper = paperOf({
    rx_kind: 'contact_lens',
    od: { ...glasses.od, sphere: null, cylinder: null, axis: null, power: -3000 },
    os: { ...glasses.os, sphere: null, no_lens: true },
    signature: { kind: 'drawn', strokes: [[1, 2, 3, 4]] },
  })
  expect(paper).toContainEqual({
    kind: 'table',
    columns: [{ head: 'Field', as: 'label' }, { head: 'OD, right' }, { head: 'OS, left, no lens' }],
    rows: [['Power', '-3.00', '—']],
  })
  expect(paper).toContainEqual({ kind: 'signature', mark: [[1, 2, 3, 4]], caption: 'Signed by Iris Lindqvist on 11/20/2026' })
})

test('the paper says when a prescription is a draft, has trial lenses, or was withdrawn', () => {
  const draft = textsOf({ status: 'draft', signature: null, od: { ...glasses.od, is_trial: true } })
  expect(draft.slice(-2)).toEqual(['Trial lenses. Not a final prescription.', 'Draft. Not signed and not valid.'])
  const withdrawn = { at: '2026-11-22T10:00:00.000Z', by: 'Iris', reason: 'x' }
  expect(textsOf({ status: 'cancelled', withdrawn }).at(-1)).toBe('Canceled. Not valid.')
})

test('the paper of an expired prescription says since when', () => {
  const facts = paperOf({}, '2028-11-21').flatMap((block) => (block.kind === 'facts' ? block.facts : []))
  expect(facts).toContainEqual(['Status', 'Expired on 11/20/2028'])
})
