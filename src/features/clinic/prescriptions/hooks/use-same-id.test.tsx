// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useSameId } from './use-same-id.ts'

test('the same keeps its id until it was taken; anything else has another', () => {
  const { result, rerender } = renderHook(() => useSameId())
  const first = result.current.idOf({ kind: 'spectacle' })
  rerender()
  expect(result.current.idOf({ kind: 'spectacle' })).toBe(first)
  const other = result.current.idOf({ kind: 'contact_lens' })
  expect(other).not.toBe(first)
  result.current.taken()
  expect(result.current.idOf({ kind: 'contact_lens' })).not.toBe(other)
})
