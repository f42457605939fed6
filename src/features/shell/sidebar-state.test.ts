import { expect, test } from 'vitest'
import { readSidebarCookie, sidebarCookie } from './sidebar-cookie.ts'
import { isSidebarShortcut, sidebarStore, toggleSidebar } from './sidebar-state.ts'

test('the sidebar is kept in the cookie sidebar:state for 7 days', () => {
  expect(sidebarCookie(false)).toBe('sidebar:state=false; path=/; max-age=604800; SameSite=Lax')
  expect(readSidebarCookie('theme=x; sidebar:state=false')).toBe(false)
  expect(readSidebarCookie('sidebar:state=true; other=false')).toBe(true)
})

test('it is expanded when nothing was kept', () => {
  expect(readSidebarCookie('')).toBe(true)
  expect(readSidebarCookie('another-sidebar:state=false')).toBe(true)
})

test('Ctrl or Cmd with b toggles it, and nothing else does', () => {
  const key = { key: 'b', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
  expect(isSidebarShortcut({ ...key, ctrlKey: true })).toBe(true)
  expect(isSidebarShortcut({ ...key, metaKey: true, key: 'B' })).toBe(true)
  expect(isSidebarShortcut(key)).toBe(false)
  expect(isSidebarShortcut({ ...key, ctrlKey: true, shiftKey: true })).toBe(false)
  expect(isSidebarShortcut({ ...key, ctrlKey: true, key: 'n' })).toBe(false)
})

test('on a page that asks for room it opens for that page only, and what was chosen for the others stays', () => {
  sidebarStore().setState({ expanded: true, sheetOpen: false, openedAnyway: false })
  toggleSidebar(false, true)
  expect(sidebarStore().getState()).toEqual({ expanded: true, sheetOpen: false, openedAnyway: true })
  toggleSidebar(false, true)
  expect(sidebarStore().getState()).toEqual({ expanded: true, sheetOpen: false, openedAnyway: false })
})
