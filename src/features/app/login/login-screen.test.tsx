// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sessionEndpoints } from '#contract/people/session.ts'
import { timeCardEndpoints } from '#contract/people/time-card.ts'
import type { Device } from '#src/sync/device/device.ts'
import { pageSound } from '#src/device/sound.ts'
import { lockoutOf } from '#src/sync/session/lockout.ts'
import { dismissToast, toastStore } from '#src/ui/toast-store.ts'
import { mayasHome, refused, screenDevice, unreachable, type Answers } from '#tests/support/screen-device.ts'
import { LoginScreen } from './login-screen.tsx'

const development = { ok: true as const, value: { provider: 'development', site_key: null, script_url: null } }

function withAnswers(answers: Answers): Answers {
  return (endpoint, request) => (endpoint === sessionEndpoints.riskProvider ? development : answers(endpoint, request))
}

function open(answers: Answers, more: { unsent?: number } = {}) {
  const onSignedIn = vi.fn()
  const made = screenDevice({ answers: withAnswers(answers), ...more })
  render(<LoginScreen device={Promise.resolve(made.device)} onSignedIn={onSignedIn} />)
  return { ...made, onSignedIn, user: userEvent.setup(), front: within(screen.getByRole('form', { name: 'Login' })) }
}

function toast() {
  const shown = toastStore.getState().toast
  return shown && [shown.title, shown.description]
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue()
})

afterEach(() => {
  cleanup()
  act(() => {
    dismissToast()
    for (const form of ['password', 'pin', 'clock'] as const) lockoutOf(form).succeed()
  })
  vi.restoreAllMocks()
})

test('empty fields say what is missing, and the form sends nothing', async () => {
  const { user, front, calls } = open(() => unreachable)
  await user.click(front.getByRole('button', { name: 'Login' }))
  expect(await front.findByText('Email or username is required')).toBeTruthy()
  expect(front.getByText('Password is required')).toBeTruthy()
  expect(calls.filter(({ path }) => path.includes('/auth/login'))).toEqual([])
})

test('a right password signs in, says so and continues', async () => {
  const { user, front, onSignedIn, calls } = open(() => ({
    ok: true,
    value: { ...mayasHome, access_token: 'a', refresh_token: 'r' },
  }))
  await user.type(front.getByLabelText('Email or username'), ' maya ')
  await user.type(front.getByLabelText('Password'), 'lorgnette-demo')
  await user.click(front.getByRole('button', { name: 'Login' }))
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledTimes(1))
  expect(toast()).toEqual(['Login Successful', 'You have been successfully logged in.'])
  // The clock's look-up of the name may come before or after it.
  const [login] = calls.filter(({ path }) => path.includes('/auth/login'))
  expect(login?.request).toMatchObject({
    body: { username: 'maya', password: 'lorgnette-demo', recaptcha_token: expect.stringMatching(/^development:login:./) },
  })
})

test('three wrong passwords block the form for a minute, with a countdown', async () => {
  const { user, front, onSignedIn, calls } = open(() => refused(401, 'login-wrong'))
  await user.type(front.getByLabelText('Email or username'), 'maya')
  await user.type(front.getByLabelText('Password'), 'wrong')
  const button = front.getByRole('button', { name: 'Login' })
  await user.click(button)
  expect(await front.findByText('An error occurred during login. Please try again.')).toBeTruthy()
  expect(toast()).toEqual(['Login Failed', 'An error occurred during login. Please try again'])
  expect(front.getByLabelText<HTMLInputElement>('Password').value).toBe('wrong')

  await user.click(button)
  await waitFor(() => expect(calls.filter(({ path }) => path === '/api/auth/login')).toHaveLength(2))
  await front.findByText('An error occurred during login. Please try again.')
  await user.click(button)
  await waitFor(() =>
    expect(toast()).toEqual(['Too Many Attempts', 'Your account has been temporarily blocked. Please try again in 60 seconds.']),
  )
  expect(await front.findByRole('button', { name: /^Try again in (60|59)s$/ })).toBeTruthy()

  await user.click(button)
  expect(toast()?.[0]).toBe('Login Blocked')
  expect(toast()?.[1]).toMatch(/^Please wait \d+ seconds before trying again\.$/)
  expect(calls.filter(({ path }) => path === '/api/auth/login')).toHaveLength(3)
  expect(onSignedIn).not.toHaveBeenCalled()
})

test('the form obeys the server’s own block, and shows its time', async () => {
  const { user, front } = open(() => refused(429, 'login-blocked', 42))
  await user.type(front.getByLabelText('Email or username'), 'maya')
  await user.type(front.getByLabelText('Password'), 'x')
  await user.click(front.getByRole('button', { name: 'Login' }))
  expect(await front.findByRole('button', { name: /^Try again in 4[12]s$/ })).toBeTruthy()
  expect(toast()).toEqual(['Login Blocked', 'Please wait 42 seconds before trying again.'])
})

test('the message of a block disappears when the block is over', async () => {
  const { user } = open(() => refused(429, 'login-blocked', 1))
  const form = within(screen.getByRole('form', { name: 'Express Login' }))
  await user.type(form.getByLabelText('PIN'), '123456')
  await user.click(form.getByRole('button', { name: 'Express Login' }))
  await form.findByRole('button', { name: 'Wait 1s' })
  await form.findByRole('button', { name: 'Express Login' }, { timeout: 5000 })
  expect(form.queryByText(/Please wait/)).toBeNull()
  expect(form.queryByRole('alert')).toBeNull()
})

test('a PIN on a tablet where nobody signed in with a password says what to do, and is not a failed attempt', async () => {
  const { user } = open(() => refused(403, 'pin-needs-password'))
  const form = within(screen.getByRole('form', { name: 'Express Login' }))
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await user.type(form.getByLabelText('PIN'), '1')
    await user.clear(form.getByLabelText('PIN'))
    await user.type(form.getByLabelText('PIN'), '123456')
    await user.click(form.getByRole('button', { name: 'Express Login' }))
    expect(await form.findByText('Sign in with your password once on this tablet.')).toBeTruthy()
  }
  expect(form.getByText('Then your PIN works here for 30 days.')).toBeTruthy()
  expect(form.getByRole('button', { name: 'Express Login' })).toBeTruthy()
})

test('while PINs are off, the form says that a password works', async () => {
  const { user } = open(() => refused(429, 'pins-off', 900))
  const form = within(screen.getByRole('form', { name: 'Express Login' }))
  await user.type(form.getByLabelText('PIN'), '123456')
  await user.click(form.getByRole('button', { name: 'Express Login' }))
  expect(await form.findByText('PINs are turned off for now.')).toBeTruthy()
  expect(form.getByRole('button', { name: /^Wait \d+s$/ })).toBeTruthy()
})

test('an attempt while the network is down is not a failed attempt', async () => {
  const { user, front, calls } = open(() => unreachable)
  await user.type(front.getByLabelText('Email or username'), 'maya')
  await user.type(front.getByLabelText('Password'), 'x')
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await user.click(front.getByRole('button', { name: 'Login' }))
    await waitFor(() => expect(calls.filter(({ path }) => path === '/api/auth/login')).toHaveLength(attempt))
    // The form ignores a press while the previous one is still open.
    await waitFor(() => expect(front.getByRole('button', { name: 'Login' }).getAttribute('aria-busy')).not.toBe('true'))
  }
  expect(await front.findByText(/^You’re offline\./)).toBeTruthy()
  expect(front.getByRole('button', { name: 'Login' })).toBeTruthy()
})

test('a wrong PIN says so; its block leaves the password form open', async () => {
  const { user } = open(() => refused(401, 'pin-wrong'))
  const form = within(screen.getByRole('form', { name: 'Express Login' }))
  await user.click(form.getByRole('button', { name: 'Express Login' }))
  expect(await form.findByText('This field is required')).toBeTruthy()
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await user.type(form.getByLabelText('PIN'), '12a34')
    expect(form.getByLabelText<HTMLInputElement>('PIN').value).toBe('1234')
    await user.click(form.getByRole('button', { name: 'Express Login' }))
    await waitFor(() => expect(form.getByLabelText<HTMLInputElement>('PIN').value).toBe(''))
    if (attempt === 1) expect(toast()).toEqual(['Login Failed', 'Incorrect PIN. Please try again.'])
  }
  expect(await form.findByRole('button', { name: /^Wait (60|59)s$/ })).toBeTruthy()
  expect(within(screen.getByRole('form', { name: 'Login' })).getByRole('button', { name: 'Login' })).toBeTruthy()
})

test('the card turns: nobody can reach the hidden side', async () => {
  const { user } = open(() => unreachable)
  const back = screen.getByLabelText('Clock In/Out', { selector: 'section' })
  expect(back.hasAttribute('inert')).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Clock In/Out' }))
  expect(back.hasAttribute('inert')).toBe(false)
  expect(screen.getByLabelText('Login', { selector: 'section' }).hasAttribute('inert')).toBe(true)
  expect(screen.getByRole('button', { name: 'Back to Login' })).toBeTruthy()
})

test('leaving the username field shows an open session: since when, how long, and Clock Out', async () => {
  const since = new Date(Date.now() - (3 * 60 + 24) * 60_000 - 5_000).toISOString()
  const { user } = open((endpoint) =>
    endpoint === timeCardEndpoints.sessionStatus ? { ok: true, value: { session: true, time: '08:02 21-11-2026', since } } : unreachable,
  )
  await user.click(screen.getByRole('button', { name: 'Clock In/Out' }))
  const form = within(await screen.findByRole('form', { name: 'Clock In/Out' }))
  expect(form.getByRole('button', { name: 'Clock in' })).toBeTruthy()
  await user.type(form.getByLabelText('Username'), 'ben')
  await user.tab()
  expect(await form.findByRole('button', { name: 'Clock Out' })).toBeTruthy()
  expect(form.getByText(/since 08:02 21-11-2026/)).toBeTruthy()
  expect(form.getByText('3 h 24 min')).toBeTruthy()
})

test('the form ignores a failed look-up without a message', async () => {
  const { user, calls } = open(() => unreachable)
  await user.click(screen.getByRole('button', { name: 'Clock In/Out' }))
  const form = within(await screen.findByRole('form', { name: 'Clock In/Out' }))
  await user.type(form.getByLabelText('Username'), 'ben')
  await user.tab()
  await waitFor(() => expect(calls.some(({ path }) => path === timeCardEndpoints.sessionStatus.path)).toBe(true))
  expect(form.getByRole('button', { name: 'Clock in' })).toBeTruthy()
  expect(toast()).toBeNull()
  expect(form.queryByRole('alert')).toBeNull()
})

test.each([
  ['password', 'Only users who signed in on this tablet in the last 14 days can sign in offline.'],
  ['PIN', 'this tablet can’t check your PIN. Use your password.'],
])('without the server, a %s that this tablet cannot check gets a way out', async (form, reason) => {
  const { user, front } = open(() => unreachable)
  if (form === 'PIN') {
    const pin = within(screen.getByRole('form', { name: 'Express Login' }))
    await user.type(pin.getByLabelText('PIN'), '123456')
    await user.click(pin.getByRole('button', { name: 'Express Login' }))
  } else {
    await user.type(front.getByLabelText('Email or username'), 'maya')
    await user.type(front.getByLabelText('Password'), 'secret')
    await user.click(front.getByRole('button', { name: 'Login' }))
  }
  expect(await screen.findByText(reason, { exact: false })).toBeTruthy()
})

test('without the server, the form asks: in or out', async () => {
  const { user, hot } = open(() => unreachable)
  await hot.facts.put({ key: 'sealing-key', value: { key_id: 'k', public_key: 'unused', fetched_at: Date.now() } })
  await user.click(screen.getByRole('button', { name: 'Clock In/Out' }))
  const form = within(await screen.findByRole('form', { name: 'Clock In/Out' }))
  await user.type(form.getByLabelText('Username'), 'ben')
  await user.type(form.getByLabelText('Password'), 'secret')
  await user.click(form.getByRole('button', { name: 'Clock in' }))
  expect(await form.findByText('You’re offline. Are you clocking in or out?')).toBeTruthy()
  expect(form.getByRole('button', { name: 'Clock in' })).toBeTruthy()
  expect(form.getByRole('button', { name: 'Clock Out' })).toBeTruthy()
  expect(form.getByLabelText<HTMLInputElement>('Password').value).toBe('secret')
})

test('the login screen says how much unsent work is on this device', async () => {
  open(() => unreachable, { unsent: 37 })
  expect(await screen.findByText('37 entries on this device are waiting to send')).toBeTruthy()
})

test('a user types before the device is open, and a press on Login waits for it', async () => {
  const onSignedIn = vi.fn()
  const { device } = screenDevice({
    answers: withAnswers(() => ({ ok: true, value: { ...mayasHome, access_token: 'a', refresh_token: 'r' } })),
  })
  let open: (device: Device) => void = () => undefined
  const opening = new Promise<Device>((resolve) => {
    open = resolve
  })
  render(<LoginScreen device={opening} onSignedIn={onSignedIn} />)
  const user = userEvent.setup()
  const front = within(screen.getByRole('form', { name: 'Login' }))
  await user.type(front.getByLabelText('Email or username'), 'maya')
  await user.type(front.getByLabelText('Password'), 'lorgnette-demo')
  await user.click(front.getByRole('button', { name: 'Login' }))
  expect(front.getByRole('button', { name: 'Login' }).getAttribute('aria-busy')).toBe('true')
  open(device)
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledTimes(1))
})

function press(keys: string[], target: Element = document.body) {
  let at = performance.now()
  for (const key of keys) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    Object.defineProperty(event, 'timeStamp', { value: (at += 10) })
    act(() => void target.dispatchEvent(event))
  }
}

test('a sound and a message answer a scan on the login screen', async () => {
  const play = vi.spyOn(pageSound(), 'play')
  vi.spyOn(pageSound(), 'open').mockResolvedValue(true)
  open(() => unreachable)
  await screen.findByTestId('refused-scans')
  press([...'DT-100234'.split(''), 'Enter'])
  expect(screen.getByText('Not counted. Sign in first.')).toBeTruthy()
  await waitFor(() => expect(play).toHaveBeenCalledWith('not-recorded'))
  press([...'DT-100235'.split(''), 'Enter'], screen.getAllByLabelText('Password')[0])
  expect(screen.getByText('2 scans since this page was opened.')).toBeTruthy()
})

test('a name, a password or a PIN that a password manager types stays in its field', async () => {
  open(() => unreachable)
  await screen.findByTestId('refused-scans')
  press([...'maya'.split(''), 'Tab'], screen.getByLabelText('Email or username'))
  press([...'lorgnette-demo'.split(''), 'Enter'], screen.getAllByLabelText('Password')[0])
  press([...'246810'.split(''), 'Enter'], screen.getByLabelText('PIN'))
  expect(screen.queryByText('Not counted. Sign in first.')).toBeNull()
})
