// @vitest-environment jsdom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { isChunkFailure, RouteError } from './route-error.tsx'

beforeAll(() => {
  vi.stubGlobal('scrollTo', () => undefined)
  vi.stubGlobal('reportError', () => undefined)
})

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('a page that fails says what to do and that nothing is lost, and comes back after Try again', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  let broken = true
  function Page() {
    if (broken) throw new Error('no such brand')
    return <p>the page</p>
  }
  const router = createRouter({
    routeTree: createRootRoute({ component: Page, errorComponent: ({ error, reset }) => <RouteError error={error} reset={reset} /> }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(<RouterProvider router={router} />)
  expect(await screen.findByText('This page stopped working')).toBeTruthy()
  expect(screen.getByText(/Your saved work is safe/)).toBeTruthy()
  broken = false
  await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('the page')).toBeTruthy()
})

test('a page whose file is gone differs from a page that is broken', () => {
  expect(isChunkFailure(new TypeError('Failed to fetch dynamically imported module: https://x/assets/a.js'))).toBe(true)
  expect(isChunkFailure(new TypeError('error loading dynamically imported module: https://x/assets/a.js'))).toBe(true)
  expect(isChunkFailure(new TypeError('Importing a module script failed.'))).toBe(true)
  expect(isChunkFailure(new TypeError('x is not a function'))).toBe(false)
})
