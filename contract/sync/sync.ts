import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { wireCommand } from '#contract/sync/command.ts'
import { countDevice } from '#contract/counts/count-sheets.ts'
import { fieldProblem } from '#contract/core/error-body.ts'
import { instant, rowId, text, uuid } from '#contract/core/primitives.ts'
import type { Permission } from '#contract/core/roles.ts'

/**
 * The collections a device mirrors. The scope of each says whose revision counter its rows carry:
 * frames the chain's, sheets and their parts the store's, punches the person's, patients those of their store's patients.
 */
export const collections = ['frames', 'count_sheets', 'count_items', 'count_scans', 'count_decisions', 'punches', 'patients'] as const
export const collection = v.picklist(collections)
export type Collection = (typeof collections)[number]

/**
 * What a person must be allowed to pull a collection, as `access` says it of a call. For everybody else a collection is empty: a refusal
 * would keep an older app, which asks for all of them at once, from the collections that the person may read.
 */
export const collectionPermissions = {
  frames: 'frame.look-up',
  count_sheets: 'count.scan',
  count_items: 'count.scan',
  count_scans: 'count.scan',
  count_decisions: 'count.scan',
  punches: 'time.punch',
  patients: 'patient.read',
} as const satisfies Record<Collection, Permission>

/** What the server says of one command. It is written in the transaction that does the work. */
export const receipt = v.object({
  id: uuid,
  /** SHA-256 (hex) of `hashedText`, as the server computed it: proof of what was received. */
  body_hash: v.string(),
  outcome: v.picklist(['applied', 'refused']),
  /** The number people can quote: `Received #48213`. Null for a refusal, which leaves nothing behind. */
  number: v.nullable(v.number()),
  at: instant,
  /** Rows that the command made or changed, by collection, as a pull would bring them. */
  rows: v.optional(v.array(v.object({ collection, row: v.record(v.string(), v.unknown()) }))),
  /** For refusals. */
  error: v.optional(
    v.object({
      status: v.number(),
      code: v.string(),
      message: v.string(),
      fields: v.optional(v.array(fieldProblem)),
      retry_after_s: v.optional(v.number()),
      /** What stood in the way: the number that was right, the tablets that are awaited. */
      details: v.optional(v.record(v.string(), v.unknown())),
    }),
  ),
})
export type Receipt = v.InferOutput<typeof receipt>

/** Commands in one push; the client halves when the server says 413. */
export const pushBatchLimit = 500
/** Lanes and open sheets that one push tells of; a device that has more leaves the rest out. */
export const reportLimit = 2000
/** Ten years: what is said to be older was made under a clock that was wrong. */
export const oldestUnsentLimitS = 315_360_000

export const push = endpoint({
  method: 'POST',
  path: '/api/sync/push',
  summary: 'A batch of commands, in lane order; a receipt for each that was judged, in the same order',
  access: 'signed-in',
  bodyLimit: 2 * 1024 * 1024,
  body: v.object({
    /** Under which the app numbers its reports. What they tell counts for the tablet of the session. */
    device_id: uuid,
    device_name: v.pipe(v.string(), v.maxLength(120)),
    protocol: v.number(),
    commands: v.pipe(v.array(wireCommand), v.maxLength(pushBatchLimit)),
    /** Rises with every push of a device: one that arrives late does not undo what a later one told. */
    report: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    /** What this device still holds after this batch, by lane; sheets it has open. Guards the closing of sheets. */
    holds: v.pipe(v.array(v.object({ lane: v.pipe(v.string(), v.maxLength(200)), unsent: v.number() })), v.maxLength(reportLimit)),
    open_sheets: v.pipe(v.array(uuid), v.maxLength(reportLimit)),
    /** Age by this device's clock of the oldest command that it still holds after this batch, seconds; null when it holds none. */
    oldest_unsent_s: v.optional(v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(oldestUnsentLimitS)))),
    app_version: v.optional(text(40)),
  }),
  response: v.object({
    /**
     * In the order of the commands. A command without a receipt was not touched and stays queued as it was: what stood
     * before it in its lane was refused and the lane waits for it (`laneBlockers`, or a refusal that a later try may
     * cure: status 408, 425, 429 or 5xx).
     */
    receipts: v.array(receipt),
    server_time: instant,
    /** Changes when the server was restored from a backup: devices rebuild their mirror and send receipts' commands again. */
    epoch: uuid,
  }),
  refuses: ['app-outdated', 'request-too-large'],
})

/**
 * Who may not see expected numbers while a blind sheet is open (`count.see-expected-while-blind`) pulls its `count_sheets`
 * row with `expected_count` 0, and none of its `count_items` ever. A cursor knows with which eyes it was made: when a person
 * with other eyes takes over the tablet, the pull says `replace` and begins anew, so that a manager's rows do not stay for
 * a counter, nor a counter's gaps for a manager. Closing lifts the veil: the sheet's lines are then read from the server.
 *
 * A first pull brings every sheet, but items, scans and decisions only of sheets that are open or were closed within
 * `closedSheetDays`.
 */
export const closedSheetDays = 30

/**
 * The answer of a pull is lines of JSON, for each collection one `header`, pages, and one `end`, in the order in which they were
 * asked for. A page's cursor may be kept as soon as the page is stored; a stream without its `end` was cut and goes on from the
 * last stored cursor. The server may end its answer after any collection, when that was long: what is left is asked for again.
 * Rows are tuples in the order of `columns`, which keeps 100,000 frames small.
 */
const pullHeader = v.object({
  type: v.literal('header'),
  collection,
  epoch: v.string(),
  scope: v.string(),
  columns: v.array(v.string()),
  /** Rows that the whole pull will bring, about: for the progress bar. */
  total: v.number(),
  /** True when the device must drop what it has of this collection and scope first (no or foreign cursor). */
  replace: v.boolean(),
  server_time: v.string(),
})
export type PullHeader = v.InferOutput<typeof pullHeader>

/** `revision`: what of the collection was made or taken away up to it is on the device now. */
const standing = { cursor: v.string(), revision: v.number() }

export const pullLine = v.variant('type', [
  pullHeader,
  v.object({
    type: v.literal('page'),
    // Not looked into: a first load brings millions of values. What keeps them looks at what it depends on.
    rows: v.array(v.custom<unknown[]>(Array.isArray)),
    removed: v.array(v.union([v.string(), v.number()])),
    ...standing,
  }),
  v.object({ type: v.literal('end'), ...standing }),
])
export type PullLine = v.InferOutput<typeof pullLine>

export const pull = endpoint({
  method: 'GET',
  path: '/api/sync/pull',
  summary: 'Rows and removals after a cursor, streamed as JSON lines',
  access: 'signed-in',
  query: v.object({
    /** One collection, or several with commas between: what one event names is one request. */
    collection: v.pipe(
      v.string(),
      v.transform((names) => names.split(',')),
      v.array(collection),
      v.check((names) => new Set(names).size === names.length, 'must name each collection once'),
    ),
    /** A cursor for each collection, in the same order and with commas between; empty where the device has none. */
    cursor: v.optional(v.pipe(v.string(), v.maxLength(2400))),
  }),
  response: v.unknown(),
  answers: 'application/x-ndjson',
  refuses: ['cursor-stale', 'cursor-invalid'],
})

/**
 * `changed` names the scopes whose revision rose (for `settings:{store}` the home info is read anew, for the others there
 * is something to pull); `presence` says who works on a sheet.
 */
export const syncEvent = v.variant('type', [
  v.object({ type: v.literal('hello'), epoch: v.string(), server_time: v.string() }),
  v.object({ type: v.literal('changed'), scope: v.string(), revision: v.number() }),
  v.object({ type: v.literal('presence'), id_count_sheet: v.string(), devices: v.array(countDevice) }),
])
export type SyncEvent = v.InferOutput<typeof syncEvent>

export const events = endpoint({
  method: 'GET',
  path: '/api/sync/events',
  summary: 'Server-sent events: something changed, come and pull',
  access: 'signed-in',
  response: v.unknown(),
  answers: 'text/event-stream',
})

export const patientsKey = endpoint({
  method: 'GET',
  path: '/api/sync/patients-key',
  summary: 'The key under which this tablet keeps the patients of the store that one works in; another tablet or store has another',
  access: 'patient.read',
  response: v.object({
    store_id: rowId,
    /** 32 bytes, base64url. A device imports it so that it can never be read back, and forgets it when its person signs out. */
    key: v.string(),
  }),
})

export const tabletMark = endpoint({
  method: 'GET',
  path: '/api/sync/tablet-mark',
  summary: 'Stays the same until a manager removes this tablet: what opens without a connection is bound to it',
  access: 'signed-in',
  response: v.object({ mark: v.string() }),
})

export const syncEndpoints = { push, pull, events, patientsKey, tabletMark }

/** Raised when the wire changes; `tests/contract/wire.test.ts` asks for it. One line a version, newest last. */
export const protocolVersions = [
  { version: 1, since: '0.1.0', what: 'the first wire: counts, scans, punches' },
  { version: 2, since: '0.1.0', what: 'patients: commands with sealed bodies, and a collection of their own' },
  { version: 3, since: '0.1.0', what: 'letters to primary care providers' },
  {
    version: 4,
    since: '0.1.0',
    what: 'signed commands, held work, device tokens, proof for a new PIN, punches in groups, the security log, cut ZIPs in imports, extras of a receipt confirmed',
  },
] as const
export const protocol = protocolVersions.at(-1)!.version
/** Older apps are answered 426 and keep everything. */
export const oldestProtocol = 1
