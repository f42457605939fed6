// @vitest-environment jsdom
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement, ReactNode } from 'react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { showApp } from '#src/start/app.tsx'
import { makeRouter } from '#src/start/router.tsx'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { toastStore } from '#src/ui/toast-store.ts'
import { showPopoversInPlace } from '#tests/support/popover.ts'
import { mayasHome, screenDevice } from '#tests/support/screen-device.ts'

beforeAll(() => {
  // jsdom has no layout: every screen is a wide one.
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }))
  vi.stubGlobal('innerWidth', 1440)
  vi.stubGlobal('scrollTo', () => undefined)
  showPopoversInPlace()
})

afterEach(cleanup)

type Wrapped<T> = ReactElement<{ children: T }>
type RouterProps = { router: ReturnType<typeof makeRouter> }

function visit(address: string, options: Parameters<typeof screenDevice>[0] = {}) {
  const made = screenDevice(options)
  const router = makeRouter(made.device, createMemoryHistory({ initialEntries: [address] }))
  render(
    <DeviceProvider device={made.device}>
      <RouterProvider router={router} />
    </DeviceProvider>,
  )
  return { ...made, router }
}

test('the first page renders when its route is loaded, and not before', async () => {
  const { device } = screenDevice({ signedIn: true })
  const draw = vi.fn((page: ReactNode) => {
    const { router } = (page as Wrapped<Wrapped<ReactElement<RouterProps>>>).props.children.props.children.props
    return router.state.matches.map(({ status }) => status)
  })
  await showApp({ render: draw, unmount: () => undefined }, device)
  expect(draw).toHaveReturnedWith(['success', 'success', 'success'])
})

test.each(['/', '/dashboard'])('patients are opened on the way to %s, before the page renders', async (address) => {
  const { device } = screenDevice({ signedIn: true })
  const patients = vi.fn(() => Promise.reject(new Error('none here')))
  Object.assign(device, { patients })
  await makeRouter(device, createMemoryHistory({ initialEntries: [address] })).load()
  expect(patients).toHaveBeenCalledTimes(1)
})

test('without an access token home leads to the login screen', async () => {
  const { router } = visit('/')
  expect(await screen.findByRole('form', { name: 'Login' })).toBeTruthy()
  expect(router.state.location.href).toBe('/login')
})

test('the login screen remembers the address that the user wanted', async () => {
  const { router } = visit('/dashboard')
  await screen.findByRole('form', { name: 'Login' })
  expect(router.state.location.search).toEqual({ to: '/dashboard' })
})

test('visiting the login screen deletes the tokens', async () => {
  const { ended, state } = visit('/login', { signedIn: true })
  await screen.findByRole('form', { name: 'Login' })
  expect(ended).toContain('deleteTokens')
  expect(state.getState().status).toBe(0)
})

test('with a session home opens, and names the user', async () => {
  visit('/', { signedIn: true })
  expect(await screen.findByRole('heading', { name: 'Today' })).toBeTruthy()
  expect(screen.getByRole('button', { name: /Maya maya@clinic\.example/ })).toBeTruthy()
})

test.each(['/nowhere', '/appt-book', '/reports', '/settings/claims'])('%s answers with the 404 page', async (address) => {
  visit(address, { signedIn: true })
  expect(await screen.findByText("Oops! You've ventured into the void.")).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Return to Safety' }).getAttribute('href')).toBe('/')
})

test('when the server ends the session, the user sees the login screen and returns after signing in', async () => {
  const { state, router } = visit('/dashboard', { signedIn: true })
  await screen.findByRole('heading', { name: 'Today' })
  state.setState({ status: 0, home: null })
  await screen.findByRole('form', { name: 'Login' })
  expect(router.state.location.search).toEqual({ to: '/dashboard' })
})

test('/settings leads to the first page that works, with the settings menu beside it', async () => {
  const { router } = visit('/settings', { signedIn: true })
  expect(await screen.findByRole('heading', { level: 1, name: 'Inventory' })).toBeTruthy()
  expect(router.state.location.pathname).toBe('/settings/inventory')
  const menu = screen.getByRole('navigation', { name: 'Settings' })
  await within(menu).findByRole('link', { name: 'Optical' })
  expect(
    within(menu)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['Back to home', 'Optical', 'Inventory'])
  expect(within(menu).getByRole('link', { name: 'Inventory' }).getAttribute('aria-current')).toBe('page')
})

test('logging out says so and forgets the user’s last page', async () => {
  const { router, ended } = visit('/dashboard', { signedIn: true })
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: /user menu/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Log out' }))
  await screen.findByRole('form', { name: 'Login' })
  expect(ended[0]).toBe('signOut')
  expect(router.state.location.href).toBe('/login')
  expect(toastStore.getState().toast?.title).toBe('Logout Successful')
})

test('Ctrl and b fold the sidebar to its icons, and the cookie keeps it', async () => {
  visit('/', { signedIn: true })
  const sidebar = await screen.findByRole('complementary', { name: 'Sidebar' })
  expect(sidebar.dataset['state']).toBe('expanded')
  await userEvent.setup().keyboard('{Control>}b{/Control}')
  expect(sidebar.dataset['state']).toBe('collapsed')
  expect(document.cookie).toContain('sidebar:state=false')
  await userEvent.setup().keyboard('{Control>}b{/Control}')
  expect(document.cookie).toContain('sidebar:state=true')
})

test('a question mark outside a field lists the keys', async () => {
  visit('/', { signedIn: true })
  await screen.findByRole('complementary', { name: 'Sidebar' })
  await userEvent.setup().keyboard('?')
  expect((await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).textContent).toContain('Find a patient')
})

test('the store is changed in its dialog, which then closes', async () => {
  visit('/', {
    signedIn: true,
    answers: (endpoint) => {
      if (endpoint.path === '/api/home/set-stores-list') return { ok: true, value: { stores: mayasHome.locations } }
      if (endpoint.path === '/api/home/set_store') return { ok: true, value: { ...mayasHome, store_id: 2, store_name: 'Mill Lane' } }
      return { ok: true, value: mayasHome }
    },
  })
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Set Store' }))
  expect(await screen.findByText('Select a store from the list below:')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: /Mill Lane/ }))
  await waitFor(() => expect(screen.queryByText('Select a store from the list below:')).toBeNull())
  expect(toastStore.getState().toast?.title).toBe('You’re now working in Mill Lane')
})
