import { expect, test } from 'vitest'
import { currentEntry, navigationAt } from './navigation.ts'

const home = [
  { title: 'Home', url: '/', icon: 'house' },
  { title: 'Time clock', url: '/time-clock', icon: 'clock' },
  { title: 'Time review', url: '/time-clock/review', icon: 'user-check' },
]

test('below /settings the sidebar shows the settings that work, elsewhere the person’s own list', () => {
  expect(navigationAt('/settings/inventory', home, ['/settings/inventory'])).toEqual([
    { title: 'Modules', items: [{ title: 'Inventory', url: '/settings/inventory', icon: 'package' }] },
  ])
  expect(navigationAt('/settingsx', home, [])).toEqual([{ title: null, items: home }])
})

test('the entry that is marked is the nearest one, and only one', () => {
  const groups = navigationAt('/', home, [])
  expect(currentEntry('/time-clock/review', groups)).toBe('/time-clock/review')
  expect(currentEntry('/time-clock/', groups)).toBe('/time-clock')
  expect(currentEntry('/dashboard', groups)).toBe('/')
  expect(currentEntry('/inventory', groups)).toBeNull()
})
