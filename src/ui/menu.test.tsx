// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { showPopoversInPlace } from '#tests/support/popover.ts'
import { Menu, MenuItem } from './menu.tsx'

beforeAll(async () => {
  showPopoversInPlace()
  // The first menu to open fetches it, and it stays from then on.
  await import('./menu-list.tsx')
})
afterEach(cleanup)

function open() {
  const onNotes = vi.fn()
  const onDelete = vi.fn()
  const onKeyAround = vi.fn()
  render(
    <div onKeyDown={onKeyAround} role="presentation">
      <Menu button={<button type="button">More</button>}>
        <MenuItem disabled>Upgrade</MenuItem>
        <MenuItem onSelect={onNotes}>Notes</MenuItem>
        <MenuItem onSelect={() => onDelete(document.activeElement?.textContent)}>Delete</MenuItem>
      </Menu>
      <button type="button">Elsewhere</button>
    </div>,
  )
  return { user: userEvent.setup(), more: screen.getByRole('button', { name: 'More' }), onNotes, onDelete, onKeyAround }
}

const focused = () => document.activeElement?.textContent

test('a press opens and closes the menu, and the button says which', async () => {
  const { user, more } = open()
  expect(more.getAttribute('aria-expanded')).toBe('false')
  await user.click(more)
  expect(await screen.findByRole('menu', { name: 'More' })).toBeTruthy()
  expect(more.getAttribute('aria-expanded')).toBe('true')
  await user.click(more)
  expect(screen.queryByRole('menu')).toBeNull()
})

test('the arrow keys go from item to item, skip disabled ones, and a letter goes to the item that begins with it', async () => {
  const { user, more } = open()
  more.focus()
  await user.keyboard('{ArrowDown}')
  expect(focused()).toBe('Notes')
  await user.keyboard('{ArrowDown}')
  expect(focused()).toBe('Delete')
  await user.keyboard('{ArrowDown}')
  expect(focused()).toBe('Delete')
  await user.keyboard('{Home}')
  expect(focused()).toBe('Notes')
  await user.keyboard('d')
  expect(focused()).toBe('Delete')
  await user.keyboard('{Escape}{ArrowUp}')
  expect(focused()).toBe('Delete')
})

test('Escape gives the focus back, and is for the menu alone', async () => {
  const { user, more, onKeyAround } = open()
  more.focus()
  await user.keyboard('{Enter}')
  expect(focused()).toBe('Notes')
  onKeyAround.mockClear()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(document.activeElement).toBe(more)
  expect(onKeyAround).not.toHaveBeenCalled()
})

test('a chosen action runs once, with the menu closed and the focus on its button', async () => {
  const { user, more, onDelete } = open()
  await user.click(more)
  await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
  expect(onDelete.mock.calls).toEqual([['More']])
  expect(screen.queryByRole('menu')).toBeNull()
})

test('a press elsewhere closes the menu, and so does losing the focus', async () => {
  const { user, more, onNotes } = open()
  await user.click(more)
  await user.click(screen.getByRole('button', { name: 'Elsewhere' }))
  expect(screen.queryByRole('menu')).toBeNull()
  await user.click(more)
  await user.tab()
  expect(screen.queryByRole('menu')).toBeNull()
  expect(onNotes).not.toHaveBeenCalled()
})
