// @vitest-environment jsdom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider, useRouterState } from '@tanstack/react-router'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { quietMoment } from '#src/ui/quiet-moment.ts'
import { toastStore } from '#src/ui/toast-store.ts'
import { eventually } from '#tests/support/eventually.ts'
import { screenDevice } from '#tests/support/screen-device.ts'
import { InstallLayer } from './install-layer.tsx'
import { installStore } from './model/install-store.ts'

beforeAll(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }))
  vi.stubGlobal('scrollTo', () => undefined)
})

afterEach(() => {
  vi.useRealTimers()
  cleanup()
  act(() => installStore.setState({ updateReady: false, pageMissing: false }))
})

async function at(address: string) {
  const { device, connection, elsewhere } = screenDevice({ signedIn: true })
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => (
        <>
          <p>page</p>
          <InstallLayer pathname={useRouterState({ select: (state) => state.location.pathname })} />
        </>
      ),
      notFoundComponent: () => null,
    }),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  render(
    <DeviceProvider device={device}>
      <RouterProvider router={router} />
    </DeviceProvider>,
  )
  await screen.findByText('page')
  // The notices come a moment after the page. Without this wait, a test could not say that there is none.
  await act(async () => {
    await quietMoment()
    await import('./components/install-notices.tsx')
  })
  return { router, connection, elsewhere }
}

test('the app offers a new version, and applies it only when the user says so', async () => {
  const applyUpdate = vi.fn()
  await at('/inventory/count-sheets')
  act(() => installStore.setState({ updateReady: true, applyUpdate }))
  expect(await screen.findByText('A new version of Lorgnette is ready')).toBeTruthy()
  expect(applyUpdate).not.toHaveBeenCalled()
  await userEvent.setup().click(screen.getByRole('button', { name: 'Update now' }))
  await eventually(() => expect(applyUpdate).toHaveBeenCalledTimes(1))
})

test('the app offers no version while a count is open, even a required one; it offers it afterward', async () => {
  const { router, connection } = await at('/inventory/count-sheets/0190a000-0000-7000-8000-000000000001')
  act(() => {
    installStore.setState({ updateReady: true })
    connection.setState({ updateRequired: true })
  })
  expect(screen.queryByRole('button', { name: 'Update now' })).toBeNull()
  await act(() => router.navigate({ to: '/' }))
  expect(await screen.findByRole('button', { name: 'Update now' })).toBeTruthy()
})

test('the app offers no version while a count is open in another window; it offers it after that count is left', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { elsewhere } = await at('/')
  elsewhere.countOpen = true
  act(() => installStore.setState({ updateReady: true }))
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(screen.queryByRole('button', { name: 'Update now' })).toBeNull()
  elsewhere.countOpen = false
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(screen.getByRole('button', { name: 'Update now' })).toBeTruthy()
})

test('a count opened in another window after the offer stops the update', async () => {
  const applyUpdate = vi.fn()
  const { elsewhere } = await at('/')
  act(() => installStore.setState({ updateReady: true, applyUpdate }))
  const button = await screen.findByRole('button', { name: 'Update now' })
  elsewhere.countOpen = true
  await userEvent.setup().click(button)
  await eventually(() => expect(screen.queryByRole('button', { name: 'Update now' })).toBeNull())
  expect(applyUpdate).not.toHaveBeenCalled()
  expect(toastStore.getState().toast?.title).toBe('A count is open in another window')
})

test('"Later" puts the offer away', async () => {
  await at('/')
  act(() => installStore.setState({ updateReady: true }))
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Later' }))
  expect(screen.queryByText('A new version of Lorgnette is ready')).toBeNull()
})

test('when a part of the app does not load, a notice says so and nothing reloads', async () => {
  await at('/')
  const failure = new Event('vite:preloadError', { cancelable: true })
  Object.assign(failure, { payload: new TypeError('Failed to fetch dynamically imported module: /assets/old.js') })
  act(() => {
    window.dispatchEvent(failure)
  })
  expect(screen.getByText('Part of the app didn’t load')).toBeTruthy()
  expect(sessionStorage.getItem('tanstack_router_reload:Failed to fetch dynamically imported module: /assets/old.js')).toBe('1')
})

test('a tab whose database was closed by a newer version says so, even on a count, because it cannot save anything', async () => {
  const { connection } = await at('/inventory/count-sheets/0190a000-0000-7000-8000-000000000001')
  act(() => connection.setState({ databaseBlocked: 'reload' }))
  expect(screen.getByText('A newer version of Lorgnette runs in another tab')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
})

test('the browser’s offer to install becomes a button, which disappears after "Not now"', async () => {
  const { InstallButton } = await import('./install-button.tsx')
  await at('/')
  const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
    prompt: vi.fn(() => Promise.resolve()),
    userChoice: Promise.resolve({ outcome: 'accepted' as const }),
  })
  act(() => {
    window.dispatchEvent(offer)
  })
  expect(offer.defaultPrevented).toBe(true)
  render(<InstallButton />)
  await userEvent.setup().click(screen.getByRole('button', { name: 'Install' }))
  expect(offer.prompt).toHaveBeenCalledTimes(1)
  await eventually(() => expect(screen.queryByRole('button', { name: 'Install' })).toBeNull())

  act(() => installStore.setState({ prompt: offer }))
  await userEvent.setup().click(screen.getByRole('button', { name: 'Not now' }))
  expect(screen.queryByRole('button', { name: 'Install' })).toBeNull()
  expect(localStorage.getItem('dismissed:install')).not.toBeNull()
})
