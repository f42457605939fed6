import { expect, test } from 'vitest'
import { testFrame } from '#tests/support/fixtures/frame.ts'
import { packingList } from './packing-list.ts'

test('a packing list has the notes that there are, and a box to check for each frame', () => {
  const noSize = { size_lens_width: null, size_bridge_width: null, size_temple_length: null }
  expect(packingList('Transfer #12', ['Restock', '', null, 'UPS'], [testFrame(1), testFrame(2, noSize)])).toEqual([
    { kind: 'heading', text: 'Transfer #12' },
    { kind: 'text', text: '2 frames · Restock · UPS' },
    {
      kind: 'table',
      columns: [{ head: 'Packed' }, { head: 'Tag' }, { head: 'F#' }, { head: 'Frame' }, { head: 'Size' }],
      rows: [
        ['☐', 'HARB-000001', 'F0000001', 'Aster Cove 1 Slate', '52-18-140'],
        ['☐', 'HARB-000002', 'F0000002', 'Aster Cove 2 Slate', '–'],
      ],
    },
  ])
})

test('a packing list without notes has only the number of its frames', () => {
  expect(packingList('Return #3', ['', null], [testFrame(1)])[1]).toEqual({ kind: 'text', text: '1 frame' })
})
