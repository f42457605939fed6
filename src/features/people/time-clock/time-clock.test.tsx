// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import type { Endpoint } from '#contract/core/endpoint.ts'
import { timeCardEndpoints } from '#contract/people/time-card.ts'
import type { Punch, ReviewEntry } from '#contract/people/time-card.ts'
import { HotDatabase } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { lockoutOf } from '#src/sync/session/lockout.ts'
import { unisolatedNames } from '#tests/support/bidi-names.ts'
import { TimeClockScreen } from '#src/features/people/time-clock/time-clock-screen.tsx'
import { wholeText } from '#tests/support/whole-text.ts'
import { TimeReviewScreen } from '#src/features/people/time-clock/time-review-screen.tsx'
import { dismissToast, toastStore } from '#src/ui/toast-store.ts'

const now = Date.parse('2026-11-20T19:30:00.000Z')
const home = {
  id_user: 2,
  username: 'ben',
  email: 'ben@clinic.example',
  first_name: 'Ben',
  store_id: 1,
  store_name: 'Downtown',
  permissions: ['time.punch', 'time.review'],
  locations: [{ store_id: 1, store_name: 'Downtown', short_name: 'DT', time_zone: 'America/New_York', is_warehouse: false }],
}

// jsdom's bytes differ from those of Node's cryptography. The tests of sealing are with its code.
vi.mock('#src/sync/session/seal.ts', () => ({ sealPunchPassword: () => Promise.resolve('sealed') }))

type Answer = { value: unknown } | { refused: string; status?: number; code?: string; retryAfterS?: number } | 'unreachable'
let hot: HotDatabase
let databases = 0
const calls: { endpoint: Endpoint; request: unknown }[] = []

beforeEach(() => {
  calls.length = 0
  hot = new HotDatabase(`time-clock-${++databases}`)
})
afterEach(() => {
  expect(unisolatedNames('Ben')).toEqual([])
  cleanup()
  act(() => {
    dismissToast()
    lockoutOf('clock').succeed()
  })
  hot.close()
})

/** A device that gives the screens a database, a session, a connection and calls. */
function deviceWith(online: boolean, answers: (endpoint: Endpoint) => Answer, permissions = home.permissions): Device {
  const fake: unknown = {
    deviceId: '7d0a4d3e-3c3f-4f29-9a54-0a6f7c1f1a01',
    hot,
    connection: createStore(() => ({ online })),
    session: { state: createStore(() => ({ status: 1, ready: true, home: { ...home, permissions } })), holdWork: () => () => undefined },
    serverNow: () => now,
    serverOffsetMs: () => 0,
    drain: () => Promise.resolve(),
    pull: () => Promise.resolve(),
    call(endpoint: Endpoint, request: unknown) {
      calls.push({ endpoint, request })
      const answer = online ? answers(endpoint) : 'unreachable'
      if (answer === 'unreachable') return Promise.resolve({ ok: false, failure: { kind: 'unreachable', message: 'no answer' } })
      if ('value' in answer) return Promise.resolve({ ok: true, value: answer.value })
      const failure = {
        kind: 'refused',
        status: 409,
        code: 'punch-overlap',
        message: answer.refused,
        fields: [],
        retryAfterS: null,
        details: {},
        ...answer,
      }
      return Promise.resolve({ ok: false, failure })
    },
  }
  return fake as Device
}

function show(device: Device, what: React.ReactNode) {
  render(<DeviceProvider device={device}>{what}</DeviceProvider>)
  return userEvent.setup()
}

const punch = (id: string, direction: Punch['direction'], at: string, more: Partial<Punch> = {}): Punch => ({
  id,
  id_user: 2,
  store_id: 1,
  direction,
  at,
  received_at: at,
  offline_captured: false,
  supersedes: null,
  edited_by_name: null,
  edit_reason: null,
  in_review: false,
  revision: 1,
  ...more,
})

function waiting(username: string, wall: string) {
  return {
    id: `w-${username}-${wall}`,
    lane: `punch:${username}`,
    lane_seq: 1,
    kind: 'punch.record',
    version: 1,
    body: { username, direction: 'in', sealed_password: 'x', key_id: 'k', store_id: 1 },
    store_id: 1,
    author: { id_user: null, name: username },
    capture_token: null,
    device_id: '7d0a4d3e-3c3f-4f29-9a54-0a6f7c1f1a01',
    captured: { wall, time_zone: 'America/New_York', server_offset_ms: 0, monotonic_ms: 0 },
    state: 'queued' as const,
    body_hash: null,
    attempts: 0,
    failing_since: null,
    not_before: 0,
    last_error: null,
    created_at: wall,
    title: '',
  }
}

describe('one’s own clock', () => {
  test('shows the week with unsent punches, and no other user’s punches', async () => {
    await hot.punches.bulkPut([
      punch('a', 'in', '2026-11-19T14:00:00.000Z'),
      punch('b', 'out', '2026-11-19T22:30:00.000Z'),
      { ...punch('c', 'in', '2026-11-18T14:00:00.000Z'), id_user: 3 },
    ])
    await hot.outbox.bulkPut([waiting('ben', '2026-11-20T14:00:00.000Z'), waiting('ana', '2026-11-20T13:00:00.000Z')])
    show(
      deviceWith(false, () => 'unreachable'),
      <TimeClockScreen />,
    )
    const week = await screen.findByRole('region', { name: 'Week' })
    expect(within(week).getByText('9:00 AM – 5:30 PM')).toBeDefined()
    expect(within(week).getByText('9:00 AM – now')).toBeDefined()
    expect(within(week).getAllByText('Waiting to send')).toHaveLength(1)
    // 8 h 30 min yesterday and 5 h 30 min today.
    expect(within(week).getByText('14 h')).toBeDefined()
  })

  test('without a connection it offers both directions, and always asks for the password', async () => {
    const user = show(
      deviceWith(false, () => 'unreachable'),
      <TimeClockScreen />,
    )
    expect(await screen.findByRole('button', { name: 'Clock Out' })).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Clock in' }))
    expect(await screen.findByText('Password is required')).toBeDefined()
    await user.type(screen.getByLabelText('Password of Ben'), 'secret')
    await user.click(screen.getByRole('button', { name: 'Clock in' }))
    expect(await screen.findByText(/hasn’t connected to the clinic’s server yet/)).toBeDefined()
  })

  test('the server knows newer punches than this tablet’s mirror', async () => {
    const since = '2026-11-20T15:30:00.000Z'
    const status = { time: '10:30 20-11-2026', session: true, since }
    show(
      deviceWith(true, (endpoint) => (endpoint === timeCardEndpoints.sessionStatus ? { value: status } : 'unreachable')),
      <TimeClockScreen />,
    )
    expect(await screen.findByRole('button', { name: 'Clock Out' })).toBeDefined()
    expect(screen.getByText('Since 10:30 AM')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Clock in' })).toBeNull()
  })
})

describe('a blocked clock', () => {
  /** An online clock whose punches are all refused. */
  async function openCard(refusal: Answer) {
    const answers = (endpoint: Endpoint): Answer => {
      if (endpoint === timeCardEndpoints.sealingKey) return { value: { key_id: 'k', public_key: 'unused' } }
      return endpoint === timeCardEndpoints.checkTimeCard ? refusal : 'unreachable'
    }
    const user = show(deviceWith(true, answers), <TimeClockScreen />)
    await user.type(screen.getByLabelText('Password of Ben'), 'wrong')
    return {
      user,
      button: screen.getByRole('button', { name: 'Clock in' }),
      sent: () => calls.filter(({ endpoint }) => endpoint === timeCardEndpoints.checkTimeCard).length,
    }
  }
  const toast = () => {
    const shown = toastStore.getState().toast
    return shown && [shown.title, shown.description]
  }

  test('shows the remaining time, counts down and sends nothing', async () => {
    const { user, button, sent } = await openCard({ refused: 'Too many attempts', status: 429, code: 'login-blocked', retryAfterS: 41.3 })
    await user.click(button)
    expect(await screen.findByRole('button', { name: /^Wait 4[12]s$/ })).toBeDefined()
    expect(toast()).toEqual(['Login Blocked', 'Please wait 42 seconds before trying again.'])
    await user.click(button)
    expect(toast()?.[0]).toBe('Login Blocked')
    expect(toast()?.[1]).toMatch(/^Please wait 4[12] seconds before trying again\.$/)
    expect(sent()).toBe(1)
  })

  test('is shared with the login card after three wrong passwords', async () => {
    const { user, button, sent } = await openCard({ refused: 'Wrong', status: 401, code: 'punch-wrong' })
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await user.click(button)
      await waitFor(() => expect(sent()).toBe(attempt))
      await waitFor(() => expect(toast()?.[0]).toBe(attempt < 3 ? 'Clock in error' : 'Too Many Attempts'))
    }
    expect(await screen.findByRole('button', { name: /^Wait (60|59)s$/ })).toBeDefined()
    expect(lockoutOf('clock').secondsLeft()).toBeGreaterThan(55)
  })
})

const entry: ReviewEntry = {
  id: '018f0000-0000-7000-8000-000000000001',
  id_user: null,
  username: 'bne',
  person_name: null,
  store_name: 'Downtown',
  direction: 'in',
  at: '2026-11-20T14:00:00.000Z',
  device_wall: '2026-11-20T14:00:00.000Z',
  received_at: '2026-11-20T19:00:00.000Z',
  skew_ms: 0,
  reasons: ['unknown-person'],
  resolved_at: null,
  resolution: null,
  resolved_by_name: null,
  resolution_reason: null,
}
const people = [{ id_user: 2, username: 'ben', name: 'Ben Halvorsen', store_name: 'Downtown' }]

function reviewAnswers(resolve: () => Answer) {
  return (endpoint: Endpoint): Answer => {
    if (endpoint === timeCardEndpoints.punchReview) return { value: { entries: [entry] } }
    if (endpoint === timeCardEndpoints.people) return { value: { people } }
    return endpoint === timeCardEndpoints.resolvePunch ? resolve() : 'unreachable'
  }
}

describe('the manager’s review', () => {
  test('gives the reason in plain words, and asks for the owner of an unknown punch and for a reason', async () => {
    const user = show(
      deviceWith(
        true,
        reviewAnswers(() => ({ value: entry })),
      ),
      <TimeReviewScreen />,
    )
    expect(await screen.findByText(wholeText(/no one is named “bne”/))).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Accept' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: 'Accept' }))
    expect(await within(dialog).findByText('Enter a reason')).toBeDefined()
    await user.type(within(dialog).getByLabelText(/Reason/), 'typed it wrong')
    await user.click(within(dialog).getByRole('button', { name: 'Accept' }))
    expect(await within(dialog).findByText('Choose whose punch this is')).toBeDefined()
    await user.selectOptions(within(dialog).getByLabelText(/Whose punch/), '2')
    await user.click(within(dialog).getByRole('button', { name: 'Accept' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    const sent = calls.find((call) => call.endpoint === timeCardEndpoints.resolvePunch)
    expect(sent?.request).toEqual({ params: { id: entry.id }, body: { resolution: 'accepted', reason: 'typed it wrong', id_user: 2 } })
  })

  test('keeps the typed text when the server refuses', async () => {
    const user = show(
      deviceWith(
        true,
        reviewAnswers(() => ({ refused: 'Someone else already handled this punch' })),
      ),
      <TimeReviewScreen />,
    )
    await user.click(await screen.findByRole('button', { name: 'Reject' }))
    const dialog = await screen.findByRole('dialog')
    await user.type(within(dialog).getByLabelText(/Reason/), 'nobody of ours')
    await user.click(within(dialog).getByRole('button', { name: 'Reject' }))
    expect(await within(dialog).findByText('Someone else already handled this punch')).toBeDefined()
    expect(within(dialog).getByLabelText(/Reason/)).toHaveProperty('value', 'nobody of ours')
  })

  test('says that it needs a connection, and that only managers have access', async () => {
    show(
      deviceWith(false, () => 'unreachable'),
      <TimeReviewScreen />,
    )
    expect(await screen.findByText('This needs a connection')).toBeDefined()
    cleanup()
    show(
      deviceWith(true, () => 'unreachable', ['time.punch']),
      <TimeReviewScreen />,
    )
    expect(await screen.findByText('Managers only')).toBeDefined()
  })
})
