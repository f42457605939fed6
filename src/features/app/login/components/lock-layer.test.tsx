// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sessionEndpoints } from '#contract/people/session.ts'
import { normaliseCode } from '#contract/core/codes.ts'
import { pageScanner } from '#src/device/page-scanner.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import type { OfflineSignIn } from '#src/sync/device/device.ts'
import { touchedKey } from '#src/sync/device/idling.ts'
import { lockoutOf } from '#src/sync/session/lockout.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { dismissToast } from '#src/ui/toast-store.ts'
import { unisolatedNames } from '#tests/support/bidi-names.ts'
import { mayasHome, refused, screenDevice, unreachable, type Answers } from '#tests/support/screen-device.ts'
import { wholeText } from '#tests/support/whole-text.ts'
import { LockLayer } from './lock-layer.tsx'

const development = { ok: true as const, value: { provider: 'development', site_key: null, script_url: null } }
const leaveTo = vi.fn(() => Promise.resolve())

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue()
  // jsdom has no top layer.
  HTMLDialogElement.prototype.showModal = function show() {
    this.open = true
    this.querySelector<HTMLElement>('input:not([hidden])')?.focus()
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
  }
})

afterEach(() => {
  expect(unisolatedNames('Maya')).toEqual([])
  cleanup()
  act(() => {
    dismissToast()
    for (const form of ['password', 'pin'] as const) lockoutOf(form).succeed()
  })
  localStorage.clear()
  leaveTo.mockClear()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function Page() {
  const [text, setText] = useState('')
  return <input aria-label="Notes" value={text} onChange={(event) => setText(event.target.value)} />
}

function show(
  options: {
    answers?: Answers
    offline?: Partial<OfflineSignIn>
    pathname?: string
    container?: HTMLElement
    reload?: (path: string) => void
  } = {},
) {
  const answers: Answers = (endpoint, request) =>
    endpoint === sessionEndpoints.riskProvider ? development : (options.answers?.(endpoint, request) ?? unreachable)
  const kept: OfflineSignIn = {
    offers: () => Promise.resolve({ password: null, pin: null }),
    prepare: () => Promise.resolve(() => Promise.resolve()),
    finish: () => Promise.resolve(),
    refused: () => Promise.resolve(),
    signIn: () => Promise.resolve({ kind: 'none' }),
    unlock: () => Promise.resolve({ kind: 'none' }),
    ...options.offline,
  }
  const made = screenDevice({ signedIn: true, answers, offline: kept })
  const page = (pathname: string) => (
    <DeviceProvider device={made.device}>
      <Page />
      <LockLayer pathname={pathname} leaveTo={leaveTo} reload={options.reload ?? vi.fn()} />
    </DeviceProvider>
  )
  const { rerender } = render(page(options.pathname ?? '/'), options.container && { container: options.container })
  return { ...made, user: userEvent.setup(), lock: () => act(() => made.device.session.lock()), go: (to: string) => rerender(page(to)) }
}

test('an idle tablet locks; a touch in this or another window delays it', () => {
  vi.useFakeTimers()
  const { state } = show()
  act(() => void vi.advanceTimersByTime(14 * 60_000))
  fireEvent.pointerDown(window)
  act(() => void vi.advanceTimersByTime(14 * 60_000))
  expect(state.getState().locked).toBe(false)
  localStorage.setItem(touchedKey, String(Date.now()))
  act(() => void vi.advanceTimersByTime(14 * 60_000))
  expect(state.getState().locked).toBe(false)
  act(() => void vi.advanceTimersByTime(70_000))
  expect(state.getState().locked).toBe(true)
})

test('the tablet uses its own setting, and a tablet that slept locks at the first touch', () => {
  vi.useFakeTimers()
  localStorage.setItem('LockMinutes', '1')
  const { state } = show()
  vi.setSystemTime(Date.now() + 61_000)
  fireEvent.keyDown(window, { key: 'a' })
  expect(state.getState().locked).toBe(true)
})

test('the lock says who is signed in, takes the focus, and keeps the typed text', async () => {
  const { user, lock, state } = show({
    offline: {
      unlock: (typed) => {
        if ('password' in typed && typed.password === 'right') state.setState({ locked: false })
        return Promise.resolve(
          state.getState().locked ? { kind: 'wrong', left: 9 } : { kind: 'open', by: 'password', until: Date.now() + 1000 },
        )
      },
    },
  })
  await user.type(screen.getByLabelText('Notes'), 'half a sen')
  await lock()
  const dialog = within(screen.getByRole('dialog', { name: 'This tablet is locked' }))
  expect(dialog.getByText(wholeText('Maya Okafor is signed in'))).toBeTruthy()
  expect(document.activeElement).toBe(dialog.getByLabelText('Password'))
  await user.type(dialog.getByLabelText('Password'), 'wrong')
  await user.click(dialog.getByRole('button', { name: 'Unlock' }))
  expect(await dialog.findByText(/9 tries left/)).toBeTruthy()
  await user.clear(dialog.getByLabelText('Password'))
  await user.type(dialog.getByLabelText('Password'), 'right')
  await user.click(dialog.getByRole('button', { name: 'Unlock' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByLabelText<HTMLInputElement>('Notes').value).toBe('half a sen')
})

test('Escape does not open the lock, and does not reach the page behind it', async () => {
  const { lock, user } = show()
  const behind = vi.fn()
  window.addEventListener('keydown', behind)
  await lock()
  await user.keyboard('{Escape}')
  expect(behind).not.toHaveBeenCalled()
  window.removeEventListener('keydown', behind)
  const dialog = screen.getByRole('dialog')
  expect(fireEvent(dialog, new Event('cancel', { cancelable: true }))).toBe(false)
  // A browser closes the dialog at the second Escape.
  act(() => (dialog as HTMLDialogElement).close())
  fireEvent(dialog, new Event('close'))
  expect((dialog as HTMLDialogElement).open).toBe(true)
})

test('a scan on the locked tablet does not count, and the lock says so', async () => {
  const taken = vi.fn()
  const stop = pageScanner(normaliseCode).subscribe(taken)
  const { lock } = show()
  await lock()
  scanned('100234')
  expect(within(screen.getByRole('alert')).getByText('The code wasn’t saved')).toBeTruthy()
  expect(taken).not.toHaveBeenCalled()
  stop()
})

test('the server checks a password that this tablet cannot check', async () => {
  const { user, lock, state } = show({
    answers: (endpoint) => {
      return endpoint === sessionEndpoints.logIn
        ? { ok: true, value: { ...mayasHome, access_token: 'a', refresh_token: 'r' } }
        : refused(404, 'x')
    },
  })
  await lock()
  await user.type(screen.getByLabelText('Password'), 'lorgnette-demo')
  await user.click(screen.getByRole('button', { name: 'Unlock' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(state.getState().locked).toBe(false)
})

test('the lock takes the page out of the document, and puts it back with its typed text and focus', async () => {
  const app = document.body.appendChild(document.createElement('div'))
  app.id = 'app'
  const { user, lock, state } = show({ container: app })
  await user.type(screen.getByLabelText('Notes'), 'half a sen')
  await lock()
  expect(document.querySelector('[aria-label=Notes]')).toBeNull()
  act(() => state.setState({ locked: false }))
  expect(screen.getByLabelText<HTMLInputElement>('Notes').value).toBe('half a sen')
  await user.type(screen.getByLabelText('Notes'), 'tence')
  expect(screen.getByLabelText<HTMLInputElement>('Notes').value).toBe('half a sentence')
  app.remove()
})

test('a colleague’s PIN switches users; the former user’s page never shows again, and the tablet reloads', async () => {
  const app = document.body.appendChild(document.createElement('div'))
  app.id = 'app'
  const reload = vi.fn()
  const { user, lock, ended, state } = show({
    container: app,
    pathname: '/patient/349',
    reload,
    answers: (endpoint) =>
      endpoint === sessionEndpoints.logInWithPin
        ? { ok: true, value: { ...mayasHome, id_user: 2, first_name: 'Leo', access_token: 'a', refresh_token: 'r' } }
        : refused(404, 'x'),
  })
  await lock()
  await user.type(await screen.findByLabelText('PIN'), '2718')
  await user.click(screen.getByRole('button', { name: 'Use PIN' }))
  expect(await screen.findByRole('dialog', { name: 'Switching users' })).toBeTruthy()
  await waitFor(() => expect(reload.mock.calls).toEqual([['/']]))
  expect(ended).toEqual(['switchUser from /patient/349'])
  expect(state.getState()).toMatchObject({ locked: false, home: { id_user: 2 } })
  expect(document.querySelector('[aria-label=Notes]')).toBeNull()
  app.remove()
})

test('switching users signs out and opens the login screen', async () => {
  const { user, lock, ended } = show()
  await lock()
  await user.click(screen.getByRole('button', { name: 'Switch user' }))
  await waitFor(() => expect(leaveTo).toHaveBeenCalledWith('/login'))
  expect(ended).toEqual(['signOut'])
})

test('after unlocking with a PIN alone, the app leaves a page with patients and keeps other pages', () => {
  const { state, go } = show({ pathname: '/inventory/count-sheets/1' })
  act(() => state.setState({ reduced: true }))
  expect(leaveTo).not.toHaveBeenCalled()
  go('/patient/7')
  expect(leaveTo).toHaveBeenCalledWith('/inventory/count-sheets')
})

test('a user who signed in offline is offered a session once online, but not during a count', () => {
  const { state, connection, go } = show()
  act(() => connection.setState({ online: false }))
  act(() => state.setState({ offline: { by: 'password', until: Date.now() + 1000 } }))
  expect(screen.queryByText('You’re back online')).toBeNull()
  act(() => connection.setState({ online: true }))
  expect(screen.getByText('You’re back online')).toBeTruthy()
  go('/inventory/count-sheets/1')
  expect(screen.queryByText('You’re back online')).toBeNull()
})

describe('a session that ends during work', () => {
  const end = (made: ReturnType<typeof show>, ended: 'scans' | 'form' | 'patient') => act(() => made.state.setState({ status: 0, ended }))
  const rightPassword: Answers = (endpoint) =>
    endpoint === sessionEndpoints.logIn
      ? { ok: true, value: { ...mayasHome, access_token: 'a', refresh_token: 'r' } }
      : endpoint === sessionEndpoints.logInWithPin
        ? { ok: true, value: { ...mayasHome, id_user: 2, access_token: 'a', refresh_token: 'r' } }
        : refused(404, 'x')

  test('keeps the count on the screen, says that scans are saved, and lets its user sign in there', async () => {
    const made = show({ pathname: '/inventory/count-sheets/1', answers: rightPassword })
    const { user, state } = made
    await user.type(screen.getByLabelText('Notes'), 'half a sen')
    end(made, 'scans')
    expect(screen.getByRole('alert').textContent).toContain('Sign in to send — scans are still being saved.')
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Sign in as Maya' }))
    // Another user's PIN does not take over.
    await user.type(dialog.getByLabelText('PIN'), '2718')
    await user.click(dialog.getByRole('button', { name: 'Use PIN' }))
    expect(await dialog.findByText('That’s not Maya’s PIN.')).toBeTruthy()
    expect(made.ended).toEqual(['turnAway'])
    await user.type(dialog.getByLabelText('Password'), 'lorgnette-demo')
    await user.click(dialog.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
    expect(state.getState()).toMatchObject({ status: 1, ended: null })
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByLabelText<HTMLInputElement>('Notes').value).toBe('half a sen')
  })

  test('keeps counting below the dialog', async () => {
    const taken = vi.fn()
    const stop = pageScanner(normaliseCode).subscribe(taken)
    const made = show({ pathname: '/inventory/count-sheets/1' })
    end(made, 'scans')
    await made.user.click(screen.getByRole('button', { name: 'Sign in' }))
    scanned('100234')
    expect(taken).toHaveBeenCalledWith('100234', '100234')
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('')
    await made.user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByRole('alert')).toBeTruthy()
    stop()
  })

  test.each([
    ['patient', '/inventory/count-sheets/1'],
    ['form', '/patient/7'],
    ['form', '/returns/patient/7'],
    ['form', '/'],
  ] as const)('covers a page that may show a patient: a %s at %s, and answers scans', (kind, pathname) => {
    const made = show({ pathname })
    end(made, kind)
    const dialog = screen.getByRole('dialog', { name: 'Sign in to continue' })
    scanned('100234')
    expect(within(dialog).getByText('Not counted. Sign in first.')).toBeTruthy()
  })

  test('locks when idle, and the server opens it', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const made = show({ pathname: '/inventory/count-sheets/1', answers: rightPassword })
    end(made, 'scans')
    act(() => void vi.advanceTimersByTime(16 * 60_000))
    const dialog = within(screen.getByRole('dialog', { name: 'This tablet is locked' }))
    vi.useRealTimers()
    await made.user.type(dialog.getByLabelText('Password'), 'lorgnette-demo')
    await made.user.click(dialog.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(made.state.getState()).toMatchObject({ status: 1, locked: false, ended: null }))
  })

  test('asks above an open dialog of the page, because the user cannot reach the bar', () => {
    const made = show({ pathname: '/inventory/count-sheets/1' })
    end(made, 'scans')
    expect(screen.queryByRole('dialog')).toBeNull()
    const form = render(<Dialog open onClose={() => undefined} title="Close count" />)
    expect(screen.queryByRole('dialog', { name: 'Sign in as Maya' })).toBeNull()
    act(() => made.state.setState({ asks: 1 }))
    expect(screen.getByRole('dialog', { name: 'Sign in as Maya', hidden: true })).toBeTruthy()
    form.unmount()
  })

  test('switching users leaves the work', async () => {
    const made = show({ pathname: '/transfer/1' })
    end(made, 'scans')
    await made.user.click(screen.getByRole('button', { name: 'Sign in' }))
    await made.user.click(screen.getByRole('button', { name: 'Switch user' }))
    await waitFor(() => expect(leaveTo).toHaveBeenCalledWith('/login'))
    expect(made.ended).toEqual(['signOut'])
  })
})

function scanned(code: string) {
  let at = performance.now()
  for (const key of [...code.split(''), 'Enter']) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    Object.defineProperty(event, 'timeStamp', { value: (at += 10) })
    act(() => void (document.activeElement ?? document.body).dispatchEvent(event))
  }
}
