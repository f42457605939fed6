import { expect, test } from 'vitest'
import { currentEntry, navigationAt, settingsMenu } from './navigation.ts'

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

test('the settings menu holds what the specification lists, in its words and order; Claims has no route and no entry', () => {
  expect(settingsMenu.map(({ title, items }) => [title, items.map((item) => [item.title, item.url])])).toEqual([
    ['General', [['Integrations', '/settings/integrations']]],
    [
      'Business Administration',
      [
        ['Businesses', '/settings/businesses'],
        ['Locations', '/settings/locations'],
        ['Facilities', '/settings/facilities'],
        ['Providers', '/settings/providers'],
        ['Users & permissions', '/settings/users_permissions'],
      ],
    ],
    [
      'Modules',
      [
        ['General', '/settings/general'],
        ['Patient', '/settings/patient'],
        ['Schedule', '/settings/schedule'],
        ['Encounters', '/settings/encounters'],
        ['Optical', '/settings/optical'],
        ['Billing', '/settings/billing'],
        ['Inventory', '/settings/inventory'],
      ],
    ],
  ])
})

test('a setting is listed from the day it works, in its own place', () => {
  const working = ['/settings/billing', '/settings/integrations', '/settings/patient']
  expect(navigationAt('/settings', home, working).map(({ title, items }) => [title, items.map((item) => item.title)])).toEqual([
    ['General', ['Integrations']],
    ['Modules', ['Patient', 'Billing']],
  ])
})

test('the entry that is marked is the nearest one, and only one', () => {
  const groups = navigationAt('/', home, [])
  expect(currentEntry('/time-clock/review', groups)).toBe('/time-clock/review')
  expect(currentEntry('/time-clock/', groups)).toBe('/time-clock')
  expect(currentEntry('/dashboard', groups)).toBe('/')
  expect(currentEntry('/inventory', groups)).toBeNull()
})
