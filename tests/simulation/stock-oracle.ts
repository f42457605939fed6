import type { OutboxCommand } from '#src/db/hot/hot.ts'
import type { Broken, PerformedAction } from './performed-actions.ts'
import type { Arrival, World } from './world.ts'

/** The facts that must hold for the stock, derived from acts, screens and tables alone. */

type FrameRow = {
  id_inventory: number
  status: string
  store_id: number
  id_model: number
  model: string
  gtin: string | null
  version: number
  add_id: string | null
  id_vendor_invoice: string | null
}
type HistoryRow = {
  id_inventory: number
  id_user: number
  rep: string
  action: string
  status_before: string | null
  status: string
  to_store_id: number | null
  extra: string
  id_count_sheet: string | null
}
type LabelRow = { id_request: string; id_inventory: number; state: string; asked_by: string }
type Receipts = ReadonlyMap<string, { number: number }>
type Standing = { status: string; store_id: number }
type Say = (invariant: Broken['invariant'], what: string) => void

/**
 * For each action: the new status of the frame, and its word in the history. `isHere`: the frame is then in the user's
 * store.
 */
const actions: Record<NonNullable<PerformedAction['change']>['action'], { to: string; word: string; isHere?: true }> = {
  state_defective: { to: 'Defective', word: 'Defective' },
  state_remove: { to: 'Missing', word: 'Item is missing' },
  state_remove_other: { to: 'Removed', word: 'Remove (other)' },
  state_return_in_stock: { to: 'Ready for Sale', word: 'Found missing, return to stock', isHere: true },
  state_return_vendor: { to: 'Removed', word: 'Return to vendor' },
  state_in_stock: { to: 'Ready for Sale', word: 'Place into stock', isHere: true },
  state_return_in_store_no_defect: { to: 'Ready for Sale', word: 'No longer defective' },
}

export async function checkStock(world: World, receipts: Receipts, outbox: readonly OutboxCommand[]): Promise<Broken[]> {
  const { server, arrivals } = world
  if (arrivals === null) return []
  const broken: Broken[] = []
  const say: Say = (invariant, what) => void broken.push({ invariant, what })
  const frames = await server.ask<FrameRow>(
    "select id_inventory, status, store_id, id_model, title_product || ' ' || title_variant as model, gtin, version, add_id, id_vendor_invoice from frames order by id_inventory",
  )
  const history = await server.ask<HistoryRow>(
    'select id_inventory, id_user, rep, action, status_before, status, to_store_id, extra, id_count_sheet from frame_history order by id',
  )
  const labels = await server.ask<LabelRow>('select id_request, id_inventory, state, asked_by from label_request')
  const knownUpcs = await server.ask<{ gtin: string; id_model: number }>(
    'select gtin, id_model from models where gtin is not null union all select gtin, id_model from model_upcs',
  )
  const models = new Map(knownUpcs.map(({ gtin, id_model }) => [gtin, id_model]))
  for (const frame of frames) {
    const told = history.filter(({ id_inventory }) => id_inventory === frame.id_inventory)
    checkHistory(world, receipts, frame, told, say)
    checkLabels(
      world,
      receipts,
      frame,
      labels.filter(({ id_inventory }) => id_inventory === frame.id_inventory),
      say,
    )
  }
  for (const arrival of arrivals) checkArrival(world, receipts, arrival, frames, history, models, say)
  for (const { add_id, id_inventory } of frames) {
    if (add_id !== null && !arrivals.some(({ receiveId }) => receiveId === add_id)) say(1, `frame ${id_inventory} was received by nobody`)
  }
  await checkInvoices(world, frames, say)
  checkRefusals(world, frames, models, outbox, say)
  return broken
}

/**
 * 1, 4: the applied commands, in the order of their receipts, are the history of a frame, row for row. Each row names
 * its author, and starts from the state that the author saw. A command for the state that the frame already had leaves
 * no row.
 */
function checkHistory(world: World, receipts: Receipts, frame: FrameRow, told: readonly HistoryRow[], say: Say): void {
  const name = `frame ${frame.id_inventory}`
  const left = told.slice()
  const standing = beginning(world, frame, left)
  const numberOf = (id: string | undefined) => receipts.get(id ?? '')?.number ?? 0
  const sheets = [...new Set(told.flatMap(({ id_count_sheet }) => id_count_sheet ?? []))]
  const closings = sheets.map((sheet) => {
    const act = world.acts.find(({ id, kind, lane }) => kind === 'count.close' && lane === `count:${sheet}` && receipts.has(id))
    if (!act) say(1, `${name} was changed by the close of a count that nobody closed`)
    return { act, sheet, number: numberOf(act?.id) }
  })
  const changes = world.acts
    .filter(({ id, change }) => change?.frame === frame.id_inventory && receipts.has(id))
    .map((act) => ({ act, sheet: null, number: numberOf(act.id) }))
  for (const { act, sheet } of [...closings, ...changes].toSorted((a, b) => a.number - b.number)) {
    if (sheet === null && act.change) {
      const { change, person } = act
      const { seen, note } = change
      if (change.model !== frame.model) say(1, `${name} is ${frame.model}, and ${act.id} of ${person} was done to ${change.model}`)
      const { to, word, isHere } = actions[change.action]
      const after = { status: to, store_id: isHere ? (act.store ?? 0) : seen.store_id }
      if (!isSame(standing, seen)) {
        if (!isSame(standing, after))
          say(1, `${name}: ${act.id} of ${person} made ${seen.status} ${to}, and it was ${standing.status} in ${standing.store_id}`)
        continue
      }
      const row = left.shift()
      const isTold = row?.extra === note && row.action === word && row.status_before === standing.status && row.status === to
      if (!isTold) say(1, `${name}: ${act.id} of ${person}, ${word}, was applied, and its history says ${JSON.stringify(row)}`)
      else if (!isBy(world, person, row)) say(4, `${name}: ${word} of ${person} is attributed to ${row.rep}`)
      Object.assign(standing, after)
    } else {
      const row = left.shift()
      if (row?.id_count_sheet !== sheet || row?.status_before !== standing.status)
        say(1, `${name} was ${standing.status} when a count was closed, and its history says ${JSON.stringify(row)}`)
      else if (act && !isBy(world, act.person, row)) say(4, `${name}: the close of ${act.person} is attributed to ${row.rep}`)
      if (row) standing.status = row.status
    }
  }
  for (const row of left) say(1, `${name}: its history tells what nobody did: ${JSON.stringify(row)}`)
  if (!isSame(standing, frame))
    say(1, `${name} is ${frame.status} in ${frame.store_id}, and by its history ${standing.status} in ${standing.store_id}`)
  const changed = told.length - (frame.add_id === null ? 0 : 1)
  if (frame.version !== 1 + changed) say(1, `${name} is of version ${frame.version} after ${changed} changes`)
}

/**
 * Returns the state of a frame in the morning. A piece received since then starts with the first row of its history,
 * which this removes.
 */
function beginning({ server }: World, frame: FrameRow, told: HistoryRow[]): Standing {
  if (frame.add_id !== null) {
    const first = told.shift()
    return { status: first?.status ?? 'nowhere', store_id: first?.to_store_id ?? 0 }
  }
  const seeded = Object.values(server.seed.frames)
    .flat()
    .find(({ id_inventory }) => id_inventory === frame.id_inventory)
  return { status: seeded?.status ?? 'nowhere', store_id: seeded?.store_id ?? 0 }
}

/** 1, 4: a frame with a requested label waits for exactly one, in the name of the first requester. */
function checkLabels(world: World, receipts: Receipts, { id_inventory }: FrameRow, rows: readonly LabelRow[], say: Say): void {
  const numberOf = ({ id }: PerformedAction) => receipts.get(id)?.number ?? 0
  const [first] = world.acts
    .filter(({ id, label }) => label === id_inventory && receipts.has(id))
    .toSorted((a, b) => numberOf(a) - numberOf(b))
  if (rows.length !== (first ? 1 : 0)) say(1, `frame ${id_inventory} waits for ${rows.length} labels, first asked for by ${first?.person}`)
  const [row] = rows
  if (!first || !row) return
  if (row.id_request !== first.id || row.state !== 'waiting')
    say(1, `frame ${id_inventory}: ${first.id} asked first for its label, not ${row.id_request}`)
  if (row.asked_by !== userOf(world, first.person)?.name)
    say(4, `frame ${id_inventory}: the label that ${first.person} asked for is attributed to ${row.asked_by}`)
}

/** 1, 4: each scan of a delivery is in stock once, however often it was sent, in the name of its author. */
function checkArrival(
  world: World,
  receipts: Receipts,
  arrival: Arrival,
  frames: readonly FrameRow[],
  history: readonly HistoryRow[],
  models: ReadonlyMap<string, number>,
  say: Say,
): void {
  const { receiveId, people, quantity, code, isReceived, isAsked, blurred } = arrival
  const pieces = frames.filter(({ add_id }) => add_id === receiveId)
  const name = `what ${[...people].join(', ')} received as ${receiveId}`
  const isApplied = world.acts.some((act) => act.receiveId === receiveId && receipts.has(act.id))
  const isSure = isApplied || (isReceived && world.restores === 0)
  const isPossible = isSure || isReceived || isAsked || blurred > 0 || world.copied.has(receiveId)
  const allowed = isSure ? [quantity] : isPossible ? [0, quantity] : [0]
  if (!allowed.includes(pieces.length)) say(1, `${name} is ${pieces.length} pieces, not ${allowed.join(' or ')}`)
  for (const piece of pieces) {
    if (piece.id_vendor_invoice !== arrival.invoice) say(1, `${name} came by ${piece.id_vendor_invoice}, not ${arrival.invoice}`)
    const scanned = code === null ? null : (models.get(code.padStart(14, '0')) ?? null)
    if (!arrival.models.has(piece.id_model) && scanned !== piece.id_model) say(1, `${name} became model ${piece.id_model}`)
    // The server remembers a learned UPC, and its next piece has the same model.
    if (piece.gtin !== null && models.get(piece.gtin) !== piece.id_model) {
      say(1, `${name} has the UPC ${piece.gtin} of model ${models.get(piece.gtin)}, and is of ${piece.id_model}`)
    }
    const told = history.filter(({ id_inventory, action }) => id_inventory === piece.id_inventory && action === 'Received')
    if (told.length !== 1) say(1, `${name}: frame ${piece.id_inventory} was received ${told.length} times`)
    for (const row of told) {
      if (![...people].some((person) => isBy(world, person, row))) say(4, `${name} is attributed to ${row.rep}`)
    }
  }
}

/** 1: the history of an invoice has each receiving once, and the first one makes its status receiving. */
async function checkInvoices({ server }: World, frames: readonly FrameRow[], say: Say): Promise<void> {
  const invoices = await server.ask<{ id: string; status: string }>('select id_vendor_invoice as id, status from vendor_invoices')
  const told = await server.ask<{ id: string }>(`select id_vendor_invoice as id from vendor_invoice_history where action = 'Received'`)
  for (const { id, status } of invoices) {
    const arrived = new Set(frames.filter((frame) => frame.id_vendor_invoice === id).map(({ add_id }) => add_id))
    const rows = told.filter((row) => row.id === id).length
    if (rows !== arrived.size) say(1, `by the invoice ${id} things came ${arrived.size} times, and its record tells of ${rows}`)
    if (status !== 'posted' && status !== (arrived.size > 0 ? 'receiving' : 'draft')) say(1, `the invoice ${id} is ${status}`)
  }
}

/** 4, 5: a command left to a person was refused for a reason that still holds, and shows its author. */
function checkRefusals(
  world: World,
  frames: readonly FrameRow[],
  models: ReadonlyMap<string, number>,
  outbox: readonly OutboxCommand[],
  say: Say,
): void {
  for (const { id, kind, body, last_error, state, author } of outbox) {
    const act = world.acts.find((one) => one.id === id)
    if (!act || (!act.change && act.label === undefined && act.receiveId === undefined)) continue
    if (author.name !== userOf(world, act.person)?.name) say(4, `${kind} ${id} of ${act.person} waits as ${author.name}'s`)
    if (state !== 'needs-attention') continue
    const { change, store } = act
    const frame = frames.find(({ id_inventory }) => id_inventory === (change?.frame ?? act.label))
    const upc = String(body['learn'] ?? body['code']).padStart(14, '0')
    const holds = () => {
      switch (last_error?.code) {
        case 'frame-changed': {
          if (!change || !frame) return false
          const { to, isHere } = actions[change.action]
          const after = { status: to, store_id: isHere ? (store ?? 0) : change.seen.store_id }
          return !isSame(frame, change.seen) && !isSame(frame, after)
        }
        case 'frame-unknown':
          return !frame
        case 'model-unknown':
          return !models.has(upc)
        case 'upc-taken':
          return models.has(upc) && models.get(upc) !== body['id_model']
        case 'piece-known':
          return !models.has(upc)
        default:
          return true
      }
    }
    if (!holds()) say(5, `${kind} ${id} of ${act.person} was left to a person, and nothing stands in its way: ${last_error?.code}`)
  }
}

const isSame = (one: Standing, other: Standing) => one.status === other.status && one.store_id === other.store_id

function userOf({ server }: World, person: string | null) {
  return Object.values(server.seed.users).find(({ username }) => username === person)
}

function isBy(world: World, person: string | null, { id_user, rep }: HistoryRow): boolean {
  const user = userOf(world, person)
  return user !== undefined && user.id_user === id_user && user.name === rep
}
