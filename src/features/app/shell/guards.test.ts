import { expect, test } from 'vitest'
import { screenDevice } from '#tests/support/screen-device.ts'
import { mayShow, safeDestination } from './guards.ts'

test('after signing in, a user gets the page that they asked for', () => {
  expect(safeDestination('/inventory/count-sheets?new=1#top')).toBe('/inventory/count-sheets?new=1#top')
})

test.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/\t/evil.example', 'javascript:alert(1)', '', undefined, 7])(
  'an address that leaves the app is not followed: %s',
  (wanted) => {
    expect(safeDestination(wanted)).toBe('/')
  },
)

test('a sign-in never leads back to the login screen', () => {
  expect(safeDestination('/login?to=/x')).toBe('/')
  expect(safeDestination('/login-help')).toBe('/login-help')
})

test('after the session ended during work, only the page with that work may show', () => {
  const { device, state } = screenDevice()
  const shown = { pathname: '/inventory/count-sheets/1' }
  expect(mayShow({ device, shown }, shown.pathname)).toBe(false)
  state.setState({ ended: 'scans' })
  expect(mayShow({ device, shown }, shown.pathname)).toBe(true)
  expect(mayShow({ device, shown }, '/inventory/count-sheets')).toBe(false)
})
