import { expect, test } from 'vitest'
import { currentEntry, navigationAt, settingsMenu } from './navigation.ts'

const home = [
  { title: 'Home', url: '/', icon: 'house' },
  { title: 'Time clock', url: '/time-clock', icon: 'clock' },
  { title: 'Time review', url: '/time-clock/review', icon: 'user-check' },
]

test('below /settings the sidebar lists the settings that work, elsewhere the user’s own list', () => {
  expect(navigationAt('/settings/inventory', { home, workingSettings: ['/settings/inventory'], permissions: [] })).toEqual([
    { title: 'Modules', items: [{ title: 'Inventory', url: '/settings/inventory', icon: 'package' }] },
  ])
  expect(navigationAt('/settingsx', { home, workingSettings: [], permissions: [] })).toEqual([{ title: null, items: home }])
})

test('the settings menu follows the specification in words and order; Claims has no route and no entry', () => {
  const listed = (url: string) => !['/settings/tablets', '/settings/security-log'].includes(url)
  expect(
    settingsMenu.map(({ title, items }) => [title, items.filter(({ url }) => listed(url)).map((item) => [item.title, item.url])]),
  ).toEqual([
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

test('a setting is listed in its own place once it works', () => {
  const working = ['/settings/billing', '/settings/integrations', '/settings/patient']
  const groups = navigationAt('/settings', { home, workingSettings: working, permissions: [] })
  expect(groups.map(({ title, items }) => [title, items.map((item) => item.title)])).toEqual([
    ['General', ['Integrations']],
    ['Modules', ['Patient', 'Billing']],
  ])
})

test('Tablets, which the specification does not list, is beside the users, for those who may see it', () => {
  const workingSettings = ['/settings/inventory', '/settings/tablets']
  expect(navigationAt('/settings', { home, workingSettings, permissions: ['settings.tablets'] })).toEqual([
    { title: 'Business Administration', items: [{ title: 'Tablets', url: '/settings/tablets', icon: 'tablet' }] },
    { title: 'Modules', items: [{ title: 'Inventory', url: '/settings/inventory', icon: 'package' }] },
  ])
  const others = navigationAt('/settings', { home, workingSettings, permissions: ['settings.inventory'] })
  expect(others.map(({ title }) => title)).toEqual(['Modules'])
})

test('Security log is below Tablets, for managers only', () => {
  const asked = { home, workingSettings: ['/settings/security-log'] }
  expect(navigationAt('/settings', { ...asked, permissions: ['audit.read'] })).toEqual([
    { title: 'Business Administration', items: [{ title: 'Security log', url: '/settings/security-log', icon: 'shield-alert' }] },
  ])
  expect(navigationAt('/settings', { ...asked, permissions: ['settings.tablets'] })).toEqual([])
})

test('the sidebar marks only the nearest entry', () => {
  const groups = navigationAt('/', { home, workingSettings: [], permissions: [] })
  expect(currentEntry('/time-clock/review', groups)).toBe('/time-clock/review')
  expect(currentEntry('/time-clock/', groups)).toBe('/time-clock')
  expect(currentEntry('/dashboard', groups)).toBe('/')
  expect(currentEntry('/inventory', groups)).toBeNull()
})

test('a vendor’s invoice, whose address is below the inventory, marks the receipts', () => {
  const items = ['/inventory', '/receipts'].map((url) => ({ title: url, url, icon: 'house' }))
  const groups = [{ title: null, items }]
  expect(currentEntry('/inventory/receipts/vendors/invoice/1/2', groups)).toBe('/receipts')
  expect(currentEntry('/inventory/labels', groups)).toBe('/inventory')
})
