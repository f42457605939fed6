// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { noteSidebar, readSidebarCookie, seemsExpanded, sidebarCookie } from '../sidebar-kept.ts'
import { isSidebarShortcut, sidebarStore, toggleSidebar } from './sidebar-state.ts'

const noon = Date.parse('2026-11-24T12:00:00Z')

afterEach(() => {
  vi.resetModules()
  localStorage.clear()
  document.cookie = 'sidebar:state=; path=/; max-age=0'
  delete document.documentElement.dataset['shell']
})

test('the cookie sidebar:state keeps the sidebar’s width for 7 days', () => {
  expect(sidebarCookie(false)).toBe('sidebar:state=false; path=/; max-age=604800; SameSite=Lax')
  expect(readSidebarCookie('theme=x; sidebar:state=false')).toBe(false)
  expect(readSidebarCookie('sidebar:state=true; other=false')).toBe(true)
})

test('without a choice the sidebar is expanded on a wide screen and narrow on a tablet', () => {
  expect(readSidebarCookie('')).toBeNull()
  expect(readSidebarCookie('another-sidebar:state=false')).toBeNull()
  expect(seemsExpanded(localStorage, noon, 1280)).toBe(true)
  expect(seemsExpanded(localStorage, noon, 1279)).toBe(false)
})

test('only Ctrl or Cmd with b toggles it', () => {
  const key = { key: 'b', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
  expect(isSidebarShortcut({ ...key, ctrlKey: true })).toBe(true)
  expect(isSidebarShortcut({ ...key, metaKey: true, key: 'B' })).toBe(true)
  expect(isSidebarShortcut(key)).toBe(false)
  expect(isSidebarShortcut({ ...key, ctrlKey: true, shiftKey: true })).toBe(false)
  expect(isSidebarShortcut({ ...key, ctrlKey: true, key: 'n' })).toBe(false)
})

test('on a page that needs the width, the sidebar opens for that page only, and the choice for other pages stays', () => {
  sidebarStore().setState({ expanded: true, sheetOpen: false, openedAnyway: false })
  toggleSidebar(false, true)
  expect(sidebarStore().getState()).toEqual({ expanded: true, sheetOpen: false, openedAnyway: true })
  toggleSidebar(false, true)
  expect(sidebarStore().getState()).toEqual({ expanded: true, sheetOpen: false, openedAnyway: false })
})

test('the note beside the cookie lasts as long as the cookie', () => {
  const sevenDays = 7 * 24 * 3600 * 1000
  noteSidebar(localStorage, false, noon)
  expect(seemsExpanded(localStorage, noon + sevenDays - 1, 1440)).toBe(false)
  expect(seemsExpanded(localStorage, noon + sevenDays, 1440)).toBe(true)
  noteSidebar(localStorage, true, noon)
  expect(seemsExpanded(localStorage, noon + sevenDays - 1, 1024)).toBe(true)
  expect(seemsExpanded(localStorage, noon + sevenDays, 1024)).toBe(false)
})

test('a folded sidebar is also noted for the first paint', () => {
  sidebarStore().setState({ expanded: true, sheetOpen: false, openedAnyway: false })
  toggleSidebar(false)
  expect(document.cookie).toContain('sidebar:state=false')
  expect(seemsExpanded(localStorage, Date.now(), 1440)).toBe(false)
  toggleSidebar(false)
  expect(seemsExpanded(localStorage, Date.now(), 1440)).toBe(true)
})

test('the sidebar begins like the first paint, and then follows the cookie if it differs', async () => {
  document.documentElement.dataset['shell'] = 'wide'
  document.cookie = sidebarCookie(false)
  const { sidebarStore: freshStore } = await import('./sidebar-state.ts')
  expect(freshStore().getState().expanded).toBe(true)
  await vi.waitFor(() => expect(freshStore().getState().expanded).toBe(false), 5000)
  expect(seemsExpanded(localStorage, Date.now(), 1440)).toBe(false)
})
