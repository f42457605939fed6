// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Dialog } from './dialog.tsx'
import { dismissToast, showToast } from './toast-store.ts'
import { fetchToastCard, ToastArea } from './toast.tsx'

beforeAll(fetchToastCard)

beforeEach(() => {
  vi.useFakeTimers()
  render(<ToastArea />)
})

afterEach(() => {
  cleanup()
  dismissToast()
  vi.useRealTimers()
})

function show(title: string, tone: 'good' | 'bad' = 'good') {
  act(() => {
    showToast({ title, tone })
  })
}

function pass(ms: number) {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}

function card(title: string): Element {
  const found = screen.getByText(title).closest('[data-toast]')
  if (!found) throw new Error(`no toast ${title}`)
  return found
}

test('only one toast shows at a time: the newer replaces the older', () => {
  show('First')
  show('Second')
  expect(screen.queryByText('First')).toBeNull()
  expect(screen.getByText('Second')).toBeTruthy()
})

test('a toast stays for 5000 ms and then goes', () => {
  show('Saved')
  pass(4999)
  expect(screen.queryByText('Saved')).not.toBeNull()
  pass(1)
  expect(screen.queryByText('Saved')).toBeNull()
})

test('the newer toast has its own 5000 ms', () => {
  show('First')
  pass(4000)
  show('Second')
  pass(4000)
  expect(screen.queryByText('Second')).not.toBeNull()
  pass(1000)
  expect(screen.queryByText('Second')).toBeNull()
})

test('the time stops while a pointer that moved onto it stays there', () => {
  show('Read me')
  pass(3000)
  fireEvent.pointerMove(card('Read me'), { movementX: 2 })
  pass(60_000)
  expect(screen.queryByText('Read me')).not.toBeNull()
  fireEvent.pointerLeave(card('Read me'))
  pass(2000)
  expect(screen.queryByText('Read me')).toBeNull()
})

test('a pointer that rested where the toast appeared does not hold it', () => {
  show('Saved')
  fireEvent.pointerEnter(card('Saved'))
  fireEvent.pointerMove(card('Saved'), { movementX: 0, movementY: 0 })
  pass(5000)
  expect(screen.queryByText('Saved')).toBeNull()
})

test('F8 brings the focus to the toast area', () => {
  fireEvent.keyDown(window, { key: 'F8' })
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Notifications (F8)' }))
})

test('a swipe to the right by 50 px dismisses; a shorter one does not', () => {
  show('Swipe me')
  fireEvent.pointerDown(card('Swipe me'), { clientX: 100, pointerId: 1 })
  fireEvent.pointerMove(card('Swipe me'), { clientX: 149, pointerId: 1 })
  fireEvent.pointerUp(card('Swipe me'), { clientX: 149, pointerId: 1 })
  expect(screen.queryByText('Swipe me')).not.toBeNull()

  fireEvent.pointerDown(card('Swipe me'), { clientX: 100, pointerId: 1 })
  fireEvent.pointerMove(card('Swipe me'), { clientX: 150, pointerId: 1 })
  fireEvent.pointerUp(card('Swipe me'), { clientX: 150, pointerId: 1 })
  expect(screen.queryByText('Swipe me')).toBeNull()
})

test('errors interrupt a screen reader, other toasts wait for a pause', () => {
  show('Broken', 'bad')
  expect(screen.getByText('Broken').closest('[aria-live]')?.getAttribute('aria-live')).toBe('assertive')
  show('Done')
  expect(screen.getByText('Done').closest('[aria-live]')?.getAttribute('aria-live')).toBe('polite')
})

test('over an open dialog a toast shows, and can be dismissed, like any other', () => {
  cleanup()
  const onClose = vi.fn()
  render(
    <>
      <ToastArea />
      <Dialog open onClose={onClose} title="Frame lookup">
        <button type="button">Look up</button>
      </Dialog>
    </>,
  )
  show('Label asked for')
  // `getByRole` does not find elements that an open dialog closes off.
  screen.getByRole('dialog', { name: 'Frame lookup' })
  const button = screen.getByRole('button', { name: 'Dismiss notification' })
  fireEvent.pointerDown(button)
  fireEvent.mouseDown(button)
  fireEvent.click(button)
  expect(screen.queryByText('Label asked for')).toBeNull()
  expect(onClose).not.toHaveBeenCalled()
})
