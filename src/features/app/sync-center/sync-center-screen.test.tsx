// @vitest-environment jsdom
// Dexie's live queries need an IndexedDB on the window, for any database they read.
import 'fake-indexeddb/auto'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { HotDatabase } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { SyncCenterScreen } from './sync-center-screen.tsx'
import { commandOf } from './model/test-command.ts'

let hot: HotDatabase
let done: string[]

beforeEach(() => {
  hot = new HotDatabase('hot-of-sync-center', { indexedDB: new IDBFactory(), IDBKeyRange })
  done = []
})
afterEach(() => {
  cleanup()
  hot.close()
})

function isDevice(value: unknown): value is Device {
  return typeof value === 'object' && value !== null && 'hot' in value && 'outbox' in value
}

function show(more: Partial<Device['outbox']> = {}) {
  const connection = {
    online: true,
    unsent: 0,
    needsAttention: 0,
    oldestAt: null,
    waitsForSignIn: false,
    stalled: false,
    sending: false,
    updateRequired: false,
    lastSyncedAt: null,
  }
  const outbox = {
    retry: (id: string) => Promise.resolve(void done.push(`retry ${id}`)),
    correct: (id: string, body: Record<string, unknown>) => Promise.resolve(void done.push(`correct ${id} ${JSON.stringify(body)}`)),
    discard: (id: string, reason: string) => Promise.resolve(void done.push(`discard ${id} ${reason}`)),
    exportUnsent: () => Promise.resolve('{}'),
    importUnsent: (text: string) => Promise.resolve({ added: text.length, known: 2, problems: ['Entry 2 couldn’t be read.'] }),
    ...more,
  }
  const device: unknown = {
    hot,
    outbox,
    connection: createStore(() => connection),
    session: { state: createStore(() => ({ status: 1, home: null, ready: true })), holdWork: () => () => undefined },
    patients: () => Promise.reject(new Error('Nobody may read patients here')),
    name: () => Promise.resolve('Tablet 3F2A'),
    rename: (name: string) => Promise.resolve(void done.push(`rename ${name}`)),
    drain: () => Promise.resolve(void done.push('drain')),
    pull: () => Promise.resolve(void done.push('pull')),
    probe: () => Promise.resolve(true),
  }
  if (!isDevice(device)) throw new Error('no device')
  render(
    <DeviceProvider device={device}>
      <SyncCenterScreen />
    </DeviceProvider>,
  )
  return userEvent.setup()
}

const closed = { code: 'count-closed', message: 'This count sheet is closed', status: 409, at: '2026-11-21T10:00:00Z' }
const invalid = { ...closed, code: 'request-invalid' }

test('refused work comes first, with the reason in plain words', async () => {
  await hot.outbox.put(commandOf({ id: 'one', state: 'needs-attention', last_error: closed }))
  const user = show()
  expect(await screen.findByText('The count sheet was closed before this arrived.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Fix' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(done).toEqual(['retry one', 'drain'])
})

test('the discard dialog names the command and needs a typed reason', async () => {
  await hot.outbox.put(commandOf({ id: 'one', state: 'needs-attention', last_error: closed }))
  const user = show()
  await user.click(await screen.findByRole('button', { name: 'Discard…' }))
  const dialog = await screen.findByRole('alertdialog')
  expect(within(dialog).getByText('Discard “Scan 100234 on count #12”?')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Discard' }))
  expect(await within(dialog).findByText('This field is required')).toBeTruthy()
  expect(done).toEqual([])
  await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'counted on another sheet')
  await user.click(within(dialog).getByRole('button', { name: 'Discard' }))
  expect(done).toEqual(['discard one counted on another sheet', 'drain'])
})

test('a user corrects a note that was too long, and it is sent again', async () => {
  const body = { id_count_sheet: 'one', notes: 'Wall' }
  await hot.outbox.put(commandOf({ id: 'one', kind: 'count.note', body, state: 'needs-attention', last_error: invalid }))
  const user = show()
  await user.click(await screen.findByRole('button', { name: 'Fix' }))
  await user.type(await screen.findByRole('textbox', { name: /Notes/ }), ' B')
  await user.click(screen.getByRole('button', { name: 'Save and send' }))
  expect(done).toEqual([`correct one ${JSON.stringify({ ...body, notes: 'Wall B' })}`, 'drain'])
})

test('work that is recorded meanwhile appears without a reload', async () => {
  show()
  expect(await screen.findByText('All caught up')).toBeTruthy()
  await hot.outbox.put(commandOf({ id: 'two' }))
  expect(await screen.findByText('Scan 100234 on count #12')).toBeTruthy()
  expect(screen.getByText('Ben')).toBeTruthy()
})

test('a file from another tablet is imported, and the screen says what was added', async () => {
  const user = show()
  await user.click(await screen.findByRole('tab', { name: 'This device' }))
  await user.upload(screen.getByLabelText('Unsent work file'), new File(['abc'], 'unsent.json', { type: 'application/json' }))
  expect(await screen.findByText('3 items added')).toBeTruthy()
  expect(screen.getByText('2 already here. Entry 2 couldn’t be read.')).toBeTruthy()
})

test('the screen says when the file could not be made', async () => {
  const user = show({ exportUnsent: () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')) })
  await user.click(await screen.findByRole('tab', { name: 'This device' }))
  await user.click(screen.getByRole('button', { name: 'Save unsent work' }))
  expect(await screen.findByText('Couldn’t create the file. Try again.')).toBeTruthy()
})

test('a user can name the device', async () => {
  const user = show()
  await user.click(await screen.findByRole('tab', { name: 'This device' }))
  const field = await screen.findByDisplayValue('Tablet 3F2A')
  await user.clear(field)
  await user.type(field, 'Stockroom')
  await user.click(screen.getByRole('button', { name: 'Save name' }))
  expect(done).toEqual(['rename Stockroom'])
})

test('a warning says that the server was restored, until a user dismisses it', async () => {
  await hot.facts.put({ key: 'warning:server-restored', value: 'epoch' })
  const user = show()
  expect(await screen.findByText('The server was restored from a backup')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Got it' }))
  await expect.poll(() => screen.queryByText('The server was restored from a backup')).toBeNull()
})

test('Send now drains the outbox and then pulls', async () => {
  const user = show()
  await user.click(await screen.findByRole('button', { name: 'Send now' }))
  expect(done).toEqual(['drain', 'pull'])
})
