import { expect, test } from 'vitest'
import { currentEntry, groupHome } from './navigation.ts'

const home = [
  { title: 'Home', url: '/', icon: 'house' },
  { title: 'Time clock', url: '/time-clock', icon: 'clock' },
  { title: 'Time review', url: '/time-clock/review', icon: 'user-check' },
]

test('the user’s own list is grouped', () => {
  expect(groupHome(home)).toEqual([
    { title: null, items: [home[0]] },
    { title: 'Team', icon: 'clock', items: home.slice(1) },
  ])
})

test('an entry that would be alone in its group stands without it', () => {
  const two = [
    { title: 'Labels', url: '/inventory/labels', icon: 'tag' },
    { title: 'Time clock', url: '/time-clock', icon: 'clock' },
  ]
  expect(groupHome(two)).toEqual([
    { title: null, items: [two[0]] },
    { title: null, items: [two[1]] },
  ])
})

test('the sidebar marks only the nearest entry', () => {
  const groups = groupHome(home)
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
