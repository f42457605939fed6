// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { fetchWindowing, VirtualList } from './virtual-list.tsx'
import { VirtualTable } from './virtual-table.tsx'

afterEach(cleanup)

beforeAll(async () => {
  await fetchWindowing()
})

type Frame = { id: string; brand: string }
const frames: Frame[] = Array.from({ length: 5000 }, (_, at) => ({ id: String(at), brand: `Brand ${at}` }))

function keyOf(row: Frame): string {
  return row.id
}

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

test('only the rows in view of five thousand are rendered', () => {
  table(frames)
  const drawn = screen.getAllByRole('row').length
  expect(drawn).toBeGreaterThan(5)
  expect(drawn).toBeLessThan(100)
  expect(screen.getByRole('grid', { name: 'Frames' }).getAttribute('aria-rowcount')).toBe('5000')
})

test('arrow keys move between rows, and Enter opens the focused row', async () => {
  const onOpen = table(frames)
  const user = userEvent.setup()
  await user.tab()
  expect(document.activeElement?.textContent).toBe('Brand 0')
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(document.activeElement?.textContent).toBe('Brand 2')
  await user.keyboard('{Enter}')
  expect(onOpen).toHaveBeenCalledWith(frames[2])
})

test('scrolling asks only for the rows that come into view', () => {
  const rowKey = vi.fn((row: Frame) => row.id)
  render(<VirtualList label="Frames" rows={frames} rowKey={rowKey} renderRow={(row) => row.brand} />)
  rowKey.mockClear()
  fireEvent.scroll(screen.getByRole('region'), { target: { scrollTop: 2400 } })
  expect(screen.getByText('Brand 50')).toBeTruthy()
  expect(rowKey.mock.calls.length).toBeLessThan(500)
})

test('the keyboard enters a list at the rows in view, even when the focused row is gone', async () => {
  const user = userEvent.setup()
  const list = (rows: readonly Frame[]) => <VirtualList label="Frames" rows={rows} rowKey={keyOf} renderRow={(row) => row.brand} />
  const { rerender } = render(list(frames))
  await user.tab()
  await user.keyboard('{ArrowDown}{ArrowDown}')
  rerender(list(frames.filter((row) => row.id !== '2')))
  expect(screen.getAllByRole('listitem').filter((row) => row.tabIndex === 0)).toHaveLength(1)
})

test('rows that are read by place may be another object than an array', () => {
  render(
    <VirtualList
      label="Frames"
      rows={{ length: 45_000, at: (index) => ({ id: String(index), brand: `Brand ${index}` }) }}
      rowKey={keyOf}
      renderRow={(row) => row.brand}
    />,
  )
  expect(screen.getByText('Brand 0').getAttribute('aria-setsize')).toBe('45000')
})

test('an empty list says so', () => {
  table([])
  expect(screen.getByText('No frames here yet')).toBeTruthy()
})

describe('before the code for the rows in view is loaded', () => {
  beforeEach(() => vi.resetModules())
  afterEach(() => vi.doUnmock('./windowing.ts'))

  test('the first rows show at once, and are the same elements once the code is loaded', async () => {
    const { VirtualList: Fresh } = await import('./virtual-list.tsx')
    render(<Fresh label="Frames" rows={frames} rowKey={keyOf} renderRow={(row) => row.brand} />)
    const first = screen.getByText('Brand 0')
    expect(screen.getAllByRole('listitem').length).toBeLessThan(100)
    expect(first.style.transform).toBe('')
    await waitFor(() => expect(first.style.transform).toBe('translateY(0px)'))
    expect(screen.getByText('Brand 0')).toBe(first)
    fireEvent.scroll(screen.getByRole('region'), { target: { scrollTop: 2400 } })
    expect(screen.getByText('Brand 50')).toBeTruthy()
  })

  test('a list whose other rows cannot be shown says so', async () => {
    vi.doMock('./windowing.ts', () => {
      throw new TypeError('no network')
    })
    const { VirtualList: Fresh } = await import('./virtual-list.tsx')
    render(<Fresh label="Frames" rows={frames} rowKey={keyOf} renderRow={(row) => row.brand} />)
    expect((await screen.findByRole('alert')).textContent).toContain('The rest of this list didn’t load')
    expect(screen.getByText('Brand 0')).toBeTruthy()
  })
})
