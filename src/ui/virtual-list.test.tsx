// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { VirtualTable } from './virtual-table.tsx'

afterEach(cleanup)

beforeAll(() => {
  // jsdom has no layout: a row is 48 px high and the place for the list 600.
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 600 })
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => 800 })
  Object.defineProperty(HTMLElement.prototype, 'offsetHeight', { configurable: true, get: () => 48 })
})

type Frame = { id: string; brand: string }
const frames: Frame[] = Array.from({ length: 5000 }, (_, at) => ({ id: String(at), brand: `Brand ${at}` }))

function table(rows: Frame[], onOpen = vi.fn()) {
  render(
    <VirtualTable
      label="Frames"
      rows={rows}
      rowKey={(row) => row.id}
      columns={[{ key: 'brand', header: 'Brand', width: '1fr', cell: (row) => row.brand }]}
      onOpen={onOpen}
      empty={<p>No frames here yet</p>}
    />,
  )
  return onOpen
}

test('of five thousand rows only those in view are drawn', () => {
  table(frames)
  const drawn = screen.getAllByRole('row').length
  expect(drawn).toBeGreaterThan(5)
  expect(drawn).toBeLessThan(100)
  expect(screen.getByRole('grid', { name: 'Frames' }).getAttribute('aria-rowcount')).toBe('5000')
})

test('arrow keys move between rows, and Enter opens the one that has the focus', async () => {
  const onOpen = table(frames)
  const user = userEvent.setup()
  await user.tab()
  expect(document.activeElement?.textContent).toBe('Brand 0')
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(document.activeElement?.textContent).toBe('Brand 2')
  await user.keyboard('{Enter}')
  expect(onOpen).toHaveBeenCalledWith(frames[2])
})

test('an empty list says what that means', () => {
  table([])
  expect(screen.getByText('No frames here yet')).toBeTruthy()
})
