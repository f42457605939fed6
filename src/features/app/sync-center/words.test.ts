import { expect, test } from 'vitest'
import { errorCodes } from '#contract/core/errors.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import type { ConnectionState } from '#src/sync/device/device.ts'
import { chipWords } from './model/chip-words.ts'
import { receiptsMatching } from './queries.ts'
import { correctionOf, reasonOf } from './model/refusals.ts'
import { commandOf } from './model/test-command.ts'
import { waitingRows } from './model/waiting-rows.ts'
import { laneName, stateWords, titleOf } from './words.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const calm: ConnectionState = {
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

test.each<[Partial<ConnectionState>, string]>([
  [{}, 'Online'],
  [{ online: null }, 'Connecting…'],
  [{ online: false }, 'Offline'],
  [{ online: false, unsent: 37, oldestAt: now - 12 * 60_000 }, 'Offline, 37 to send, oldest 12 min'],
  [{ online: true, unsent: 2, files: { waiting: 1, refused: 0 } }, '3 to send'],
  [{ online: true, files: { waiting: 0, refused: 1 } }, '1 needs attention'],
  [{ online: false, unsent: 1, oldestAt: now - 5000, needsAttention: 3 }, 'Offline, 1 to send, oldest 5 seconds, 3 need attention'],
  [{ sending: true, unsent: 37 }, 'Sending 37…'],
  [{ unsent: 2 }, '2 to send'],
  [{ unsent: 2, views: 1 }, '1 to send'],
  [{ online: false, unsent: 1, views: 1 }, 'Offline'],
  [{ needsAttention: 3, sending: true, unsent: 4 }, '3 need attention'],
  [{ needsAttention: 1 }, '1 needs attention'],
  [{ stalled: true, unsent: 1200 }, 'Not sending, 1,200 waiting'],
  [{ waitsForSignIn: true, unsent: 5, needsAttention: 2 }, 'Waiting for sign-in'],
  [{ updateRequired: true, online: false, waitsForSignIn: true }, 'Update needed'],
])('the chip shows the most urgent news: %o', (state, text) => {
  expect(chipWords({ ...calm, ...state }, now).text).toBe(text)
})

test('a screen reader does not hear about every scan that leaves', () => {
  const said = [37, 36, 35].map((unsent) => chipWords({ ...calm, online: false, unsent, oldestAt: now }, now).announcement)
  expect(new Set(said).size).toBe(1)
  expect(chipWords({ ...calm, sending: true, unsent: 3 }, now).announcement).toBe('')
})

test('every refusal of the server has plain words and a next step', () => {
  for (const code of errorCodes) {
    const { what, next } = reasonOf({
      kind: 'count.scan',
      last_error: { code, message: 'Not possible', status: 400, at: '2026-11-21T11:00:00Z' },
    })
    expect(what, code).toMatch(/^[A-Z].*\.$/)
    expect(next, code).toMatch(/\.$/)
    expect(`${what} ${next}`, code).not.toMatch(/\b(4\d\d|5\d\d|HTTP|JSON|token|cursor)\b/)
  }
})

test('a refusal that this app does not know yet uses the server’s words', () => {
  const error = { code: 'moon-full', message: 'Not while the moon is full', status: 409, at: '2026-11-21T11:00:00Z' }
  expect(reasonOf({ kind: 'count.scan', last_error: error }).what).toBe('Not while the moon is full')
  expect(reasonOf({ kind: 'count.scan', last_error: null }).what).toContain('set aside')
})

test('nothing is called sent or received before the server has it', () => {
  const send = { kind: 'transfer.send', title: 'Transfer to Eastside' }
  const old = { ...send, title: 'Transfer to Eastside: sent' }
  for (const command of [send, old]) {
    expect(titleOf(command, 'waiting')).toBe('Transfer to Eastside — waiting to send')
    expect(titleOf(command, 'refused')).toBe('Transfer to Eastside — not sent')
    expect(titleOf(command, 'done')).toBe('Transfer to Eastside — sent')
  }
  const received = { kind: 'vendor-invoice.receive', title: 'Received: Aster Cove' }
  expect(titleOf(received, 'waiting')).toBe('Waiting to be received: Aster Cove')
  expect(titleOf(received, 'refused')).toBe('Not received: Aster Cove')
  expect(titleOf(received, 'done')).toBe('Received: Aster Cove')
  const put = { kind: 'transfer.put', title: 'DT-100004: added to a transfer' }
  expect(titleOf(put, 'refused')).toBe('DT-100004: not added to a transfer')
})

test('a transfer refused for a sold frame names the frame and the way out', () => {
  const last_error = {
    code: 'transfer-piece-elsewhere',
    message: 'DT-100004: Sold — can’t be transferred',
    status: 409,
    at: '2026-11-21T11:00:00Z',
  }
  expect(reasonOf({ kind: 'transfer.send', last_error })).toEqual({
    what: 'DT-100004: Sold — can’t be transferred.',
    next: 'Open the transfer, remove the frame, and press Send again.',
  })
  expect(reasonOf({ kind: 'transfer.put', last_error }).next).toContain('Take it out of the box')
})

test('waiting work is listed by user and lane, oldest first, in sending order', () => {
  const ana = { id_user: 3, name: 'Ana' }
  const ben = { id_user: 2, name: 'Ben' }
  const outbox: OutboxCommand[] = [
    commandOf({ id: 'b2', author: ben, lane: 'count:one', lane_seq: 5, created_at: '2026-11-21T10:05:00Z' }),
    commandOf({ id: 'a1', author: ana, lane: 'count:one', lane_seq: 1, created_at: '2026-11-21T10:00:00Z' }),
    commandOf({ id: 'b1', author: ben, lane: 'count:one', lane_seq: 2, created_at: '2026-11-21T10:06:00Z' }),
    commandOf({ id: 'b0', author: ben, lane: 'count:two', lane_seq: 1, created_at: '2026-11-21T10:01:00Z' }),
    commandOf({ id: 'x', author: ben, lane: 'count:two', lane_seq: 2, state: 'needs-attention' }),
  ]
  const rows = waitingRows(outbox).map((row) => (row.type === 'person' ? row.name : row.type === 'lane' ? row.lane : row.command.id))
  expect(rows).toEqual(['Ana', 'count:one', 'a1', 'Ben', 'count:two', 'b0', 'count:one', 'b1', 'b2'])
})

test('a lane that waits for a user says for what', () => {
  const rows = waitingRows([
    commandOf({ id: 'new', kind: 'count.create', lane: 'count:one', state: 'needs-attention', title: 'New count' }),
    commandOf({ id: 'scan', lane: 'count:one', lane_seq: 2 }),
    commandOf({ id: 'other', lane: 'count:two' }),
  ])
  const lanes = rows.flatMap((row) => (row.type === 'lane' ? [[row.lane, row.blockedBy]] : []))
  expect(lanes).toEqual([
    ['count:one', 'New count'],
    ['count:two', null],
  ])
})

test('lanes have the names that people know', () => {
  const names = {
    sheetNumbers: new Map([['one', 12]]),
    patient: (id: string) => (id === 'y' ? 'Abigail Carrow' : null),
  }
  expect(laneName('count:one', names)).toBe('Count #12')
  expect(laneName('count:two', names)).toBe('New count')
  expect(laneName('punch:ana', names)).toBe('Time clock: ana')
  expect(laneName('discard:x', names)).toBe('Discarded work')
  expect(laneName('patient:x', names)).toBe('Patient')
  expect(laneName('patient:y', names)).toBe('Abigail Carrow')
})

test('waiting work says what it waits for', () => {
  const later = Date.parse('2026-11-21T12:34:00Z')
  expect(stateWords({ state: 'retry-wait', not_before: later }, now, 'UTC')).toBe('Retrying at 12:34 PM')
  expect(stateWords({ state: 'auth-wait', not_before: 0 }, now)).toBe('Waiting for a sign-in')
})

test('correcting is offered only where other words would help', () => {
  const invalid = { code: 'request-invalid', message: '', status: 422, at: '' }
  const note = commandOf({ kind: 'count.note', body: { id_count_sheet: 'one', notes: 'Wall B' }, last_error: invalid })
  expect(correctionOf(note)).toMatchObject({ field: 'notes', text: 'Wall B' })
  expect(correctionOf({ ...note, last_error: { ...invalid, code: 'count-closed' } })).toBeNull()
  expect(correctionOf(commandOf({ kind: 'punch.record', last_error: { ...invalid, code: 'punch-wrong' } }))).toBeNull()
})

test('a receipt is found by its number, its title or its author', () => {
  const receipt = {
    id: '1',
    lane: 'count:one',
    settled_at: '2026-11-21T11:00:00Z',
    number: 48213,
    epoch: 'e',
    title: 'Scan 100234 on count #12',
    author_name: 'Ana',
    outcome: 'applied' as const,
    command: commandOf({}),
    receipt: null,
  }
  const found = ['#48213', '482', 'scan 1002', 'ana', 'ben'].map((search) => receiptsMatching([receipt], search).length)
  expect(found).toEqual([1, 1, 1, 1, 0])
})
