import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { wireCommand } from '#contract/sync/command.ts'
import { countDevice } from '#contract/counts/count-sheets.ts'
import { fieldProblem } from '#contract/core/error-body.ts'
import { instant, rowId, text, uuid } from '#contract/core/primitives.ts'
import type { Permission } from '#contract/core/roles.ts'

/**
 * The collections that a device mirrors. The scope of each says whose revision counter its rows carry: the chain's for
 * frames, the store's for sheets and their parts, the person's for punches, and that of the patient's store for
 * patients.
 */
export const collections = ['frames', 'count_sheets', 'count_items', 'count_scans', 'count_decisions', 'punches', 'patients'] as const
export const collection = v.picklist(collections)
export type Collection = (typeof collections)[number]

/**
 * The permission for pulling a collection, like `access` of a call. For everybody else the collection is empty. A
 * refusal would cut an older app, which asks for all collections at once, off from those that the person may read.
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

/** The server's answer on one command. It is written in the transaction that does the work. */
export const receipt = v.object({
  id: uuid,
  /** SHA-256 (hex) of `hashedText`, as the server computed it: proof of the received command. */
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
      /** The obstacle: the right number, or the awaited tablets. */
      details: v.optional(v.record(v.string(), v.unknown())),
    }),
  ),
})
export type Receipt = v.InferOutput<typeof receipt>

/** The most commands in one push. The client halves the number when the server answers 413. */
export const pushBatchLimit = 500
/** The most lanes and open sheets in the report of one push. A device that has more leaves the rest out. */
export const reportLimit = 2000
/** Ten years. A greater age comes from a wrong clock. */
export const oldestUnsentLimitS = 315_360_000

export const push = endpoint({
  method: 'POST',
  path: '/api/sync/push',
  summary: 'A batch of commands, in lane order; a receipt for each that was judged, in the same order',
  access: 'signed-in',
  bodyLimit: 2 * 1024 * 1024,
  body: v.object({
    /** The device id under which the app numbers its reports. They count for the tablet of the session. */
    device_id: uuid,
    device_name: v.pipe(v.string(), v.maxLength(120)),
    protocol: v.number(),
    commands: v.pipe(v.array(wireCommand), v.maxLength(pushBatchLimit)),
    /** Rises with every push of a device, so that a late report does not undo a newer one. */
    report: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    /**
     * The commands that this device still holds after this batch, by lane, and the sheets it has open. Guards the
     * closing of sheets.
     */
    holds: v.pipe(v.array(v.object({ lane: v.pipe(v.string(), v.maxLength(200)), unsent: v.number() })), v.maxLength(reportLimit)),
    open_sheets: v.pipe(v.array(uuid), v.maxLength(reportLimit)),
    /**
     * The age of the oldest command that the device still holds after this batch, by its own clock, in seconds; null
     * when it holds none.
     */
    oldest_unsent_s: v.optional(v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(oldestUnsentLimitS)))),
    app_version: v.optional(text(40)),
  }),
  response: v.object({
    /**
     * In the order of the commands. The server did not touch a command without a receipt, and it stays queued. An
     * earlier command of its lane was refused, and the lane waits for it (`laneBlockers`, or a refusal that a later try
     * may cure: status 408, 425, 429 or 5xx).
     */
    receipts: v.array(receipt),
    server_time: instant,
    /**
     * Changes when the server was restored from a backup: devices rebuild their mirror and send the commands of
     * receipts again.
     */
    epoch: uuid,
  }),
  refuses: ['app-outdated', 'request-too-large'],
})

/**
 * Users without `count.see-expected-while-blind` may not see expected numbers while a blind sheet is open. They pull
 * its `count_sheets` row with `expected_count` 0, and never any of its `count_items`. A cursor records this right. When
 * a person with other rights takes over the tablet, the pull says `replace` and starts over. So a counter never keeps a
 * manager's rows, nor a manager a counter's gaps. Closing the sheet ends this: its lines are then read from the server.
 *
 * A first pull brings every sheet, but items, scans and decisions only of sheets that are open or were closed within
 * `closedSheetDays`.
 */
export const closedSheetDays = 30

/**
 * The answer of a pull is lines of JSON: for each requested collection, in order, one `header`, pages, and one `end`. A
 * device may keep a page's cursor as soon as it has stored the page. A stream without its `end` was cut, and continues
 * from the last stored cursor. The server may end a long answer after any collection; the device asks again for the
 * rest. Rows are tuples in the order of `columns`, which keeps 100,000 frames small.
 */
const pullHeader = v.object({
  type: v.literal('header'),
  collection,
  epoch: v.string(),
  scope: v.string(),
  columns: v.array(v.string()),
  /** About how many rows the whole pull will bring, for the progress bar. */
  total: v.number(),
  /** True when the device must first drop its rows of this collection and scope (no cursor, or a foreign one). */
  replace: v.boolean(),
  server_time: v.string(),
})
export type PullHeader = v.InferOutput<typeof pullHeader>

/** `revision`: all changes of the collection up to it are on the device now. */
const standing = { cursor: v.string(), revision: v.number() }

export const pullLine = v.variant('type', [
  pullHeader,
  v.object({
    type: v.literal('page'),
    // Not validated: a first load brings millions of values. The code that stores them checks the fields it depends on.
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
    /** One collection, or several with commas between: all collections of one event are one request. */
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
 * `changed` names the scopes whose revision rose. For `settings:{store}` the device reads the home info again; for the
 * others there is something to pull. `presence` says who works on a sheet.
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
    /**
     * 32 bytes, base64url. A device imports it so that nobody can read it back, and forgets it when its user signs out.
     */
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

/** Raised when the wire changes; `tests/contract/wire.test.ts` asks for it. One line for each version, newest last. */
export const protocolVersions = [
  { version: 1, since: '0.1.0', what: 'the first wire: counts, scans, punches' },
  { version: 2, since: '0.1.0', what: 'patients: commands with sealed bodies, and a collection of their own' },
  { version: 3, since: '0.1.0', what: 'letters to primary care providers' },
  {
    version: 4,
    since: '0.1.0',
    what: 'signed commands, held work, device tokens, proof for a new PIN, punches in groups, the security log, cut ZIPs in imports, extras of a receipt confirmed',
  },
  { version: 5, since: '0.1.0', what: 'the lock time of a store' },
  { version: 6, since: '0.1.0', what: 'transfers that a count asks of another store' },
] as const
/** The newest version. A number of its own, so that the app does not carry the lines above. */
export const protocol = 6
/** The server answers older apps with 426, and they keep everything. */
export const oldestProtocol = 1
