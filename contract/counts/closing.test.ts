import { describe, expect, test } from 'vitest'
import { closeEffectOf } from '#contract/counts/closing.ts'
import { explainedByMovement } from '#contract/counts/unscanned.ts'
import { inventoryStatuses } from '#contract/stock/frames.ts'

describe('what closing does, judged by how a piece stands now', () => {
  const close = (input: Partial<Parameters<typeof closeEffectOf>[0]>) =>
    closeEffectOf({
      standing: null,
      now: { status: 'Ready for Sale', store_id: 1 },
      store_id: 1,
      movedSince: false,
      storeName: () => 'Eastside',
      decision: 'undecided',
      ...input,
    })

  test('a frame that nobody found and nothing explains becomes Missing', () => {
    expect(close({})).toMatchObject({ effect: 'missing', to: 'Missing' })
  })

  test.each([
    ['sold during the count', { now: { status: 'Sold', store_id: 1 } as const, movedSince: true }],
    ['moved to another store', { now: { status: 'Ready for Sale', store_id: 2 } as const, movedSince: true }],
    ['handled during the count', { movedSince: true }],
    ['gone from the records', { now: null }],
    ['already Missing', { now: { status: 'Missing', store_id: 1 } as const }],
  ])('a frame %s is explained, not Missing', (_what, input) => {
    expect(close(input)).toMatchObject({ effect: 'explained', to: null })
  })

  test('a Missing frame in the hand is found, and one in transit is received', () => {
    const inHand = (status: 'Missing' | 'ICT') => close({ standing: 'set-aside', now: { status, store_id: 1 } })
    expect(inHand('Missing')).toMatchObject({ effect: 'found', outcome: 'set-aside', to: 'Ready for Sale' })
    expect(inHand('ICT')).toMatchObject({ effect: 'received', outcome: 'set-aside', to: 'Ready for Sale' })
  })

  test('the record says of a scanned frame what the count screen said, however the frame stands now', () => {
    for (const standing of ['counted', 'set-aside'] as const)
      for (const status of inventoryStatuses)
        for (const store_id of [1, 2]) expect(close({ standing, now: { status, store_id } })).toMatchObject({ outcome: standing })
  })

  test('a frame that was sold after it was counted stays counted', () => {
    expect(close({ standing: 'counted', now: { status: 'Sold', store_id: 1 } })).toMatchObject({
      effect: 'none',
      outcome: 'counted',
      to: null,
    })
  })

  test('a frame that is not part of the count is set aside', () => {
    expect(close({ standing: 'set-aside' })).toMatchObject({ effect: 'none', outcome: 'set-aside', detail: 'Not part of this count' })
  })

  test('a piece of another store is never moved by closing', () => {
    for (const status of inventoryStatuses)
      expect(close({ standing: 'set-aside', now: { status, store_id: 2 }, decision: 'apply' })).toMatchObject({
        effect: 'exception',
        to: null,
      })
  })

  test('a removed piece comes back only by a decision', () => {
    const now = { status: 'Removed', store_id: 1 } as const
    expect(close({ standing: 'set-aside', now })).toMatchObject({ to: null })
    expect(close({ standing: 'set-aside', now, decision: 'apply' })).toMatchObject({ to: 'Ready for Sale' })
  })
})

describe('what explains, before closing, that nobody found a frame', () => {
  const expected = { id_inventory: 1, status: 'Ready for Sale' } as const
  const explained = (now: Parameters<typeof explainedByMovement>[1]) => explainedByMovement(expected, now, 1, () => 'Eastside')

  test('it was sold, moved or is Missing already', () => {
    expect(explained({ status: 'Sold', store_id: 1 })).toBe('Sold')
    expect(explained({ status: 'Ready for Sale', store_id: 2 })).toBe('Moved to Eastside')
    expect(explained({ status: 'Missing', store_id: 1 })).toBe('Already Missing')
  })

  test('nothing explains a frame that stands as it stood, or that this tablet does not know', () => {
    expect(explained({ status: 'Ready for Sale', store_id: 1 })).toBeNull()
    expect(explained(null)).toBeNull()
  })

  test('a frame that was expected although it was Missing is looked for', () => {
    expect(explainedByMovement({ id_inventory: 1, status: 'Missing' }, { status: 'Missing', store_id: 1 }, 1, () => '')).toBeNull()
  })
})
