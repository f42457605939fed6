import { describe, expect, test } from 'vitest'
import type { OutboxCommand, SettledCommand } from '#src/db/hot/hot.ts'
import { findFaults, type Evidence } from '#tests/faults/oracle.ts'

/** Returns two scans, an undo, a note, a recount and a punch, all correct. Each test spoils its own copy. */
function quietDay() {
  const sheet = 'sheet-1'
  const at = Date.parse('2026-05-04T10:00:00.000Z')
  const iso = (ms: number) => new Date(at + ms).toISOString()
  const author = { id_user: 2, name: 'Ben Halvorsen' }
  function command(id: string, lane_seq: number, kind: string, body: Record<string, unknown>): OutboxCommand {
    return {
      id,
      lane: `count:${sheet}`,
      lane_seq,
      kind,
      version: 1,
      body,
      store_id: 1,
      author,
      capture_token: null,
      device_id: 'device-a',
      captured: { wall: iso(lane_seq * 1000), time_zone: 'UTC', server_offset_ms: 0, monotonic_ms: lane_seq * 1000 },
      state: 'queued',
      body_hash: null,
      attempts: 0,
      failing_since: null,
      not_before: 0,
      last_error: null,
      created_at: iso(lane_seq * 1000),
      title: id,
    }
  }
  const made = [
    command('scan-1', 1, 'count.scan', { raw_code: 'DT-1' }),
    command('scan-2', 2, 'count.scan', { raw_code: 'DT-2' }),
    command('undo-2', 3, 'count.undo', { negates: 'scan-2' }),
    command('note-1', 4, 'count.note', { notes: 'The window is done' }),
    command('recount-1', 5, 'count.recount', {}),
    command('scan-3', 6, 'count.scan', { raw_code: 'DT-3' }),
  ]
  const settled = made.map((one): SettledCommand => ({
    id: one.id,
    lane: one.lane,
    settled_at: iso(60_000),
    number: one.lane_seq,
    epoch: 'e',
    title: one.title,
    author_name: author.name,
    outcome: 'applied',
    command: one,
    receipt: null,
  }))
  const scan = (id: string, raw_code: string, negates: string | null, walk: number, id_inventory: number) => ({
    id,
    raw_code,
    negates,
    author_id: 2,
    walk,
    finding: 'expected' as const,
    id_inventory,
    author: author.name,
  })
  const row = { id: 'scan-1', revision: 4, captured: { b: 1, a: 2 } }
  return {
    pulled: [
      { tablet: 'A', code: 'DT-1', author: author.name, at: at + 1000 },
      { tablet: 'A', code: 'DT-2', author: author.name, at: at + 2000 },
      { tablet: 'A', code: 'DT-3', author: author.name, at: at + 6000 },
    ],
    pressed: [
      { tablet: 'A', what: 'undo' as const, text: '', author: author.name, told: false },
      { tablet: 'A', what: 'note' as const, text: 'The window is done', author: author.name, told: true },
      { tablet: 'A', what: 'recount' as const, text: '', author: author.name, told: true },
    ],
    punched: [{ tablet: 'A', username: 'ben', from: at + 8000, until: at + 9000, told: 'kept' as 'kept' | 'refused' }],
    tablets: [
      {
        name: 'A',
        said: [
          { sheet, code: 'DT-1', word: 'Saved' as const, at: at + 1100 },
          { sheet, code: 'DT-1', word: 'Sent' as const, at: at + 60_000 },
          { sheet, code: 'DT-2', word: 'Saved' as const, at: at + 2100 },
          { sheet, code: 'DT-2', word: 'Removed' as const, at: at + 3100 },
        ],
        outbox: [] as OutboxCommand[],
        settled,
        mirror: { count_scans: [row] as Record<string, unknown>[] },
        expected: { count_scans: [{ revision: 4, captured: { a: 2, b: 1 }, id: 'scan-1' }] as Record<string, unknown>[] },
        counted: [1, 1],
      },
    ],
    server: {
      receipts: made.map((one) => ({
        command_id: one.id,
        number: one.lane_seq,
        kind: one.kind,
        author_id: 2 as number | null,
        received_at: iso(50_000),
      })),
      scans: [
        scan('scan-1', 'DT-1', null, 1, 1),
        scan('scan-2', 'DT-2', null, 1, 2),
        scan('undo-2', 'DT-2', 'scan-2', 1, 2),
        scan('scan-3', 'DT-3', null, 2, 3),
      ],
      sheet: { id_count_sheet: sheet, notes: 'The window is done', walk: 2 },
      punches: [{ id: 'punch-1', username: 'ben', device_wall: iso(8500), author: 'ben' as string | null }],
    },
  } satisfies Evidence
}
type Day = ReturnType<typeof quietDay>

function lose(day: Day, id: string) {
  day.server.scans = day.server.scans.filter((scan) => scan.id !== id)
  day.server.receipts = day.server.receipts.filter((receipt) => receipt.command_id !== id)
}
function first<T>(list: readonly T[]): T {
  const [one] = list
  if (one === undefined) throw new Error('There is none')
  return one
}

test('finds nothing on a quiet day', () => {
  expect(findFaults(quietDay())).toEqual([])
})

const spoilt: [what: string, spoil: (day: Day) => void, fault: RegExp][] = [
  ['a scan that was called saved is nowhere', (day) => lose(day, 'scan-1'), /^LOST: tablet A said Saved, Sent of DT-1/],
  ['a settled command has no receipt', (day) => lose(day, 'scan-3'), /^LOST: tablet A holds a receipt of “scan-3”/],
  ['a scan is there twice', (day) => day.server.scans.push({ ...first(day.server.scans), id: 'scan-9' }), /^DUPLICATED: DT-1/],
  ['a scan is someone else’s', (day) => (first(day.server.scans).author = 'Ana Teixeira'), /^MISATTRIBUTED: Ben Halvorsen scanned DT-1/],
  ['a receipt is someone else’s', (day) => (first(day.server.receipts).author_id = 3), /^MISATTRIBUTED: “scan-1”/],
  ['a code that nobody scanned', (day) => (first(day.server.scans).raw_code = 'DT-77'), /^INVENTED/],
  [
    'one undo too many',
    (day) => day.server.scans.push({ ...first(day.server.scans), id: 'undo-9', negates: 'scan-1' }),
    /^DUPLICATED: 1 times/,
  ],
  ['an undo that never came', (day) => lose(day, 'undo-2'), /^LOST: tablet A said Removed of DT-2/],
  [
    'something stays on the tablet without a reason',
    (day) => day.tablets[0]?.outbox.push({ ...first(day.tablets[0].settled).command, ...waiting('retry-wait') }),
    /^STALLED: tablet A still holds/,
  ],
  ['Sent is said before the receipt', (day) => (first(day.server.receipts).received_at = '2026-05-04T10:01:01.000Z'), /^SENT TOO EARLY/],
  [
    'two scans change places',
    (day) => {
      for (const receipt of day.server.receipts) if (receipt.command_id === 'scan-1') receipt.number = 2.5
    },
    /^OUT OF ORDER: tablet A saved DT-1 before DT-2/,
  ],
  ['a lane is out of order', (day) => (first(day.server.receipts.slice(3)).number = 9), /^OUT OF ORDER: lane/],
  [
    'a note is lost',
    (day) => (day.tablets[0]!.settled = day.tablets[0]!.settled.filter(({ id }) => id !== 'note-1')),
    /^LOST: the note “The window is done”/,
  ],
  ['an older note stands on the sheet', (day) => (day.server.sheet.notes = 'old'), /^The note received last/],
  ['a walk too many', (day) => (day.server.sheet.walk = 3), /^After 1 recounts/],
  ['a punch is lost', (day) => (day.server.punches = []), /^LOST: ben’s punch/],
  ['a punch is there twice', (day) => day.server.punches.push({ ...first(day.server.punches), id: 'punch-9' }), /^DUPLICATED: ben’s punch/],
  ['a punch is nobody’s', (day) => (first(day.server.punches).author = null), /^MISATTRIBUTED: ben’s punch/],
  ['a punch that nobody made', (day) => (first(day.server.punches).device_wall = '2026-05-04T12:00:00.000Z'), /^INVENTED: a punch of ben/],
  ['a refused punch is kept', (day) => (first(day.punched).told = 'refused'), /^The screen refused/],
  ['a row is missing in the mirror', (day) => (day.tablets[0]!.mirror.count_scans = []), /^MIRROR: tablet A lacks 1 rows of count_scans/],
  ['a row is older in the mirror', (day) => (first(day.tablets[0]!.mirror.count_scans)['revision'] = 3), /^MIRROR: tablet A lacks 1 rows/],
  ['a screen counts wrongly', (day) => (day.tablets[0]!.counted = [1, 2]), /^A window of tablet A shows 2 counted, it is 1/],
]

function waiting(state: OutboxCommand['state']): Omit<OutboxCommand, keyof SettledCommand['command']> & { id: string; lane_seq: number } {
  return {
    id: 'late-1',
    lane_seq: 7,
    state,
    body_hash: null,
    attempts: 1,
    failing_since: null,
    not_before: 0,
    last_error: { code: 'x', message: 'x', status: 500, at: '' },
    created_at: '',
    title: 'late-1',
  }
}

describe('The oracle reports when', () => {
  test.for(spoilt)('%s', ([, spoil, fault]) => {
    const day = quietDay()
    spoil(day)
    expect(findFaults(day)).toContainEqual(expect.stringMatching(fault))
  })

  test('but work that waits for a person with its reason is not lost', () => {
    const day = quietDay()
    lose(day, 'scan-3')
    const { command } = first(day.tablets[0]!.settled.slice(5))
    day.tablets[0]!.settled = day.tablets[0]!.settled.slice(0, 5)
    day.tablets[0]!.outbox.push({ ...command, ...waiting('needs-attention'), id: 'scan-3', lane_seq: 6 })
    day.tablets[0]!.said.push({ sheet: 'sheet-1', code: 'DT-3', word: 'Saved', at: Date.parse('2026-05-04T10:00:06.100Z') })
    expect(findFaults(day)).toEqual([])
  })
})
