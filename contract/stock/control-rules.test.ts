import { describe, expect, test } from 'vitest'
import { allowedControls, controlActions, controlNote, controlRefusal, needsConfirmation } from '#contract/stock/control-rules.ts'
import { controlFlags, inventoryStatuses } from '#contract/stock/frames.ts'

describe('what can be done with a frame in a stockroom', () => {
  test('a frame for sale can break, be missed, leave, or go back to its vendor', () => {
    expect(allowedControls('Ready for Sale', 'practice')).toEqual([
      'state_defective',
      'state_remove',
      'state_remove_other',
      'state_return_vendor',
    ])
  })

  test('a missing frame can be found', () => {
    expect(controlRefusal('state_return_in_stock', 'Missing', 'practice')).toBeNull()
    expect(controlRefusal('state_remove', 'Missing', 'practice')).toBe('Not possible while the frame is Missing')
  })

  test('a frame in transit can be received and cannot be removed for another reason', () => {
    expect(allowedControls('ICT', 'practice')).toContain('state_in_stock')
    expect(allowedControls('ICT', 'practice')).not.toContain('state_remove_other')
  })

  test('every action that is allowed changes the state or says why the frame left', () => {
    for (const status of inventoryStatuses)
      for (const flag of allowedControls(status, 'practice')) {
        const action = controlActions[flag]
        const unchanged = action.to === status && !action.removedReason
        // All seven stay possible for Sold and On Hold, as the specification says.
        expect(unchanged, `${flag} on ${status}`).toBe(false)
      }
  })
})

describe('the sets as the specification lists them', () => {
  test.each([
    ['Ready for Sale', ['state_defective', 'state_remove', 'state_remove_other']],
    ['Defective', ['state_remove', 'state_remove_other', 'state_return_in_store_no_defect']],
    ['Missing', ['state_return_in_stock', 'state_return_vendor']],
    ['ICT', ['state_remove_other']],
    ['Removed', ['state_return_in_stock', 'state_return_vendor', 'state_in_stock', 'state_return_in_store_no_defect']],
    ['Sold', []],
    ['On Hold', []],
  ] as const)('%s disables its set and no other', (status, disabled) => {
    const allowed = allowedControls(status, 'specification')
    expect(new Set(controlFlags.filter((flag) => !allowed.includes(flag)))).toEqual(new Set(disabled))
  })
})

describe('words around an action', () => {
  test('a note loses its quotes, and an empty one is not sent', () => {
    expect(controlNote(` bent "left" temple's tip `)).toBe('bent left temples tip')
    expect(controlNote(`  '" `)).toBeUndefined()
  })

  test('a frame that belongs to an invoice asks once more', () => {
    expect(inventoryStatuses.filter(needsConfirmation)).toEqual(['Sold', 'On Hold'])
  })
})
