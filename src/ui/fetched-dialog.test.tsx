// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fetchedDialog } from './fetched-dialog.tsx'
import { dismissToast, toastStore } from './toast-store.ts'

type Props = { open?: boolean; onClose: () => void; name: string }

function Hello({ name }: Props) {
  return <p>Hello {name}</p>
}

afterEach(() => {
  cleanup()
  act(() => dismissToast())
})

test('nothing is fetched before the dialog opens, and the code stays from then on', async () => {
  const fetch = vi.fn(() => Promise.resolve(Hello))
  const Dialog = fetchedDialog(fetch)
  const { rerender } = render(<Dialog open={false} onClose={() => undefined} name="Ana" />)
  expect(fetch).not.toHaveBeenCalled()
  rerender(<Dialog open onClose={() => undefined} name="Ana" />)
  expect(await screen.findByText('Hello Ana')).toBeTruthy()
  // It closes with its own motion.
  rerender(<Dialog open={false} onClose={() => undefined} name="Ben" />)
  expect(screen.getByText('Hello Ben')).toBeTruthy()
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('a dialog that cannot be fetched says so and closes, and the next press tries again', async () => {
  const fetch = vi.fn(() => Promise.resolve(Hello)).mockRejectedValueOnce(new TypeError('no network'))
  const Dialog = fetchedDialog(fetch)
  const onClose = vi.fn()
  const { rerender } = render(<Dialog open onClose={onClose} name="Ana" />)
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(toastStore.getState().toast?.title).toBe('Couldn’t open this')
  rerender(<Dialog open={false} onClose={onClose} name="Ana" />)
  rerender(<Dialog open onClose={onClose} name="Ana" />)
  expect(await screen.findByText('Hello Ana')).toBeTruthy()
})
