// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useSameId } from './use-same-id.ts'

test('the same content keeps its id until the server has it; other content gets another id', () => {
  const { result, rerender } = renderHook(() => useSameId())
  const first = result.current.idOf({ kind: 'spectacle' })
  rerender()
  expect(result.current.idOf({ kind: 'spectacle' })).toBe(first)
  const other = result.current.idOf({ kind: 'contact_lens' })
  expect(other).not.toBe(first)
  result.current.taken()
  expect(result.current.idOf({ kind: 'contact_lens' })).not.toBe(other)
})
