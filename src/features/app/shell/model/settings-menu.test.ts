import { expect, test } from 'vitest'
import { settingsGroups, settingsMenu } from './settings-menu.ts'

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
  const groups = settingsGroups(working, [])
  expect(groups.map(({ title, items }) => [title, items.map((item) => item.title)])).toEqual([
    ['General', ['Integrations']],
    ['Modules', ['Patient', 'Billing']],
  ])
})

test('Tablets, which the specification does not list, is beside the users, for those who may see it', () => {
  const workingSettings = ['/settings/inventory', '/settings/tablets']
  expect(settingsGroups(workingSettings, ['settings.tablets'])).toEqual([
    { title: 'Business Administration', items: [{ title: 'Tablets', url: '/settings/tablets', icon: 'tablet' }] },
    { title: 'Modules', items: [{ title: 'Inventory', url: '/settings/inventory', icon: 'package' }] },
  ])
  const others = settingsGroups(workingSettings, ['settings.inventory'])
  expect(others.map(({ title }) => title)).toEqual(['Modules'])
})

test('Security log is below Tablets, for managers only', () => {
  const working = ['/settings/security-log']
  expect(settingsGroups(working, ['audit.read'])).toEqual([
    { title: 'Business Administration', items: [{ title: 'Security log', url: '/settings/security-log', icon: 'shield-alert' }] },
  ])
  expect(settingsGroups(working, ['settings.tablets'])).toEqual([])
})
