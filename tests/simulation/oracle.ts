import { laneBlockers } from '#contract/sync/commands.ts'
import type { OutboxCommand, SettledCommand } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'
import type { Broken, PerformedAction } from './performed-actions.ts'
import type { SimulatedDevice } from './device.ts'
import { checkPatients, patientProblems } from './patient-oracle.ts'
import { checkStock } from './stock-oracle.ts'
import type { World } from './world.ts'
import type { ClinicServer } from './clinic-server.ts'

/**
 * Compares the promises to people with the facts. It reads tables and rows, never the code under test. The history
 * itself knows what the screen called Saved.
 */

type ReceiptRow = { command_id: string; number: number; author_id: number | null; body_hash: string; received_at: string }
type ServerState = {
  receipts: Map<string, ReceiptRow>
  /** Rows that a command made, each under the command's own id. */
  effects: Map<string, { author_id: number | null }>
  given: Set<string>
}
type DeviceState = { device: SimulatedDevice; app: Device; outbox: OutboxCommand[]; settled: SettledCommand[] }

/** Refusals by the clinic's own rules. Any other refusal kept work from arriving. */
const rightRefusals = new Set([
  'count-closed',
  'count-unknown',
  'count-number-wrong',
  'count-devices-unsent',
  'count-exceptions-open',
  'count-not-empty',
  // A close without any scan has marked the whole store missing.
  'count-scope-empty',
  'frame-unknown',
  'scan-unknown',
  'scan-foreign',
  'permission-missing',
  'store-foreign',
  // A close and a delete wait for their author. The work of a revoked tablet waits for a manager.
  'author-absent',
  'work-held',
  'patient-changed',
  'patient-unknown',
  // `stock-oracle.ts` checks whether these are right.
  'frame-changed',
  'model-unknown',
  'piece-known',
  'upc-taken',
  'vendor-invoice-not-allowed',
])

/**
 * Returns true when there is nothing left to wait for: all that could leave has left, and every mirror equals the
 * server.
 */
export async function hasComeToRest(world: World): Promise<boolean> {
  const states = await readDevices(world)
  if (states.some(({ outbox }) => outbox.some((command) => !waitsForPerson(command, outbox)))) return false
  if (states.some(({ device, outbox }) => wrongCounts(device, outbox).length > 0)) return false
  for (const state of states) if ((await mirrorProblems(state, world.server)).length > 0) return false
  return true
}

export async function checkInvariants(world: World): Promise<Broken[]> {
  const server = await readServer(world.server)
  const devices = await readDevices(world)
  const broken: Broken[] = []
  for (const act of world.acts) broken.push(...fateOf(act, world, server, devices))
  const reused = await world.server.ask<{ id: string }>(`select id from sessions where revoked_because = 'reuse'`)
  // After a restore, a token may be used that the backup does not know as used. The network may also bring one minutes
  // late. No server can tell that from a stolen copy.
  if (reused.length > 0 && world.restores === 0 && world.strayRefreshes === 0)
    broken.push({ invariant: 7, what: `the app's own tokens ended ${reused.length} sessions` })
  broken.push(...world.noted, ...strangers(world, server), ...order(world, server), ...liveness(world, devices), ...claims(server, devices))
  const outbox = devices.flatMap((state) => state.outbox)
  broken.push(...(await checkPatients(world, server.receipts, outbox)))
  broken.push(...(await checkStock(world, server.receipts, outbox)))
  for (const state of devices) {
    for (const what of await mirrorProblems(state, world.server)) broken.push({ invariant: 3, what: `${state.device.name}: ${what}` })
    for (const what of wrongCounts(state.device, state.outbox)) broken.push({ invariant: 6, what })
  }
  return broken
}

/** 5: work that waits for a person though nobody refused it. It is checked before users retry, which would hide it. */
export async function groundlessRefusals(world: World): Promise<Broken[]> {
  const broken: Broken[] = []
  for (const { device, outbox } of await readDevices(world)) {
    for (const { id, kind, state, last_error } of outbox) {
      if (state !== 'needs-attention' || world.refused.has(id) || rightRefusals.has(last_error?.code ?? '')) continue
      broken.push({
        invariant: 5,
        what: `${device.name}: ${kind} ${id} was left to a person, and nobody had refused it: ${last_error?.code}`,
      })
    }
  }
  return broken
}

/** 1, 4, 7: the outcome of one act of one person. */
function fateOf(act: PerformedAction, world: World, server: ServerState, devices: readonly DeviceState[]): Broken[] {
  const name = `${act.title} ${act.id} of ${act.person ?? 'nobody'} on ${act.device}, called ${act.screen}`
  const receipt = server.receipts.get(act.id)
  const effect = server.effects.get(act.id)
  const waits = devices.some(({ outbox }) => outbox.some(({ id }) => id === act.id))
  const isGivenUp = server.given.has(act.id) || devices.some(({ outbox }) => outbox.some(({ body }) => body['discarded_id'] === act.id))
  const broken: Broken[] = []
  const say = (invariant: Broken['invariant'], what: string) => broken.push({ invariant, what: `${name} ${what}` })

  if (leavesRow(act) && (receipt !== undefined) !== (effect !== undefined)) {
    say(1, receipt ? 'has a receipt and no effect' : 'has an effect and no receipt')
  }
  if (act.screen === 'saved') {
    const device = world.devices.find((one) => one.name === act.device)
    const wasWiped = (device?.wipes ?? 0) > act.wipes
    if (!receipt && !waits && !isGivenUp && !wasWiped) say(1, 'is lost')
    if (receipt && waits) say(1, 'was applied and still waits')
    // The network may bring a copy of a refused command after its obstacle has gone, and the server applies it. The
    // server may also have applied it before: its answer got lost, and something else refused the repeat. A user who
    // discards it sees the effect.
    const mayReturn = act.wasCopied || world.copied.has(act.id)
    const wasAppliedAfterwards = receipt !== undefined && Date.parse(receipt.received_at) >= (act.givenUpAt ?? Infinity)
    if (wasAppliedAfterwards && act.discard === 'done' && !mayReturn) say(1, 'was given up, and applied')
    if (act.discard === 'done' && !isGivenUp && !wasWiped && world.restores === 0) say(1, 'was given up, and the server does not know')
  }
  if (act.screen === 'not-saved' && (receipt || waits)) say(7, 'is there all the same')
  const author = idOf(world, act.person)
  if (receipt && receipt.author_id !== author) say(4, `was attributed to ${receipt.author_id}`)
  if (effect && effect.author_id !== null && effect.author_id !== author) say(4, `has a row of ${effect.author_id}`)
  return broken
}

/** 1: every row at the server comes from an act. */
function strangers(world: World, server: ServerState): Broken[] {
  const known = new Set(world.acts.map(({ id }) => id))
  const broken: Broken[] = []
  for (const [id, effect] of server.effects) {
    if (!known.has(id) && effect.author_id !== null)
      broken.push({ invariant: 1, what: `a scan ${id} of ${effect.author_id} was made by nobody` })
  }
  return broken
}

/** 2: of two acts that a device saved in one lane, the first arrives first. */
function order(world: World, server: ServerState): Broken[] {
  // After a restore, lost commands come again in any order.
  if (world.restores > 0) return []
  const lanes = new Map<string, PerformedAction[]>()
  for (const act of world.acts) {
    if (act.screen !== 'saved' || act.leftItsPlace || world.refused.has(act.id) || !server.receipts.has(act.id)) continue
    const lane = `${act.device} ${act.wipes} ${act.lane}`
    lanes.set(lane, [...(lanes.get(lane) ?? []), act])
  }
  const numberOf = (act: PerformedAction) => server.receipts.get(act.id)?.number ?? 0
  const broken: Broken[] = []
  // The server rightly refuses a decision before the scan that it is about, and applies it after a later scan. The
  // device never learns of the refusal when the server dies before its answer.
  const mayHaveBeenRefused = ({ id, kind }: PerformedAction) => kind === 'count.decide' && world.unanswered.has(id)
  for (const [lane, acts] of lanes) {
    for (const later of acts) {
      for (const earlier of acts) {
        if (mayHaveBeenRefused(earlier)) continue
        if (earlier.heard !== null && earlier.heard < later.begun && numberOf(earlier) > numberOf(later)) {
          broken.push({ invariant: 2, what: `${lane}: ${later.title} ${later.id} overtook ${earlier.title} ${earlier.id}` })
        }
      }
    }
  }
  return broken
}

/** 5, 8: all that could leave has left, and the clinic's rules refused the rest. */
function liveness(world: World, devices: readonly DeviceState[]): Broken[] {
  const broken: Broken[] = []
  for (const { device, outbox } of devices) {
    for (const command of outbox) {
      const about = `${device.name}: ${command.title} ${command.id} (${command.kind} ${command.lane_seq}, ${command.state})`
      if (!waitsForPerson(command, outbox))
        broken.push({ invariant: 5, what: `${about} did not leave: ${JSON.stringify(command.last_error)}` })
      const code = command.state === 'needs-attention' ? (command.last_error?.code ?? 'none') : null
      if (code !== null && !rightRefusals.has(code)) {
        broken.push({
          invariant: command.version < 2 && command.kind === 'count.note' ? 8 : 5,
          what: `${about} was refused for no good reason: ${code}`,
        })
      }
    }
  }
  // The app must tell the user when the browser has deleted its data.
  for (const device of world.devices) {
    const isTold = device.wipes === 0 || !device.wasUsedBeforeWipe || device.saidWiped
    if (!isTold) broken.push({ invariant: 7, what: `${device.name} was wiped, and the app did not say so` })
  }
  return broken
}

/** 6: the server has the receipt of everything that a device calls sent. */
function claims(server: ServerState, devices: readonly DeviceState[]): Broken[] {
  const broken: Broken[] = []
  for (const { device, settled } of devices) {
    for (const entry of settled) {
      if (entry.outcome !== 'applied') continue
      const receipt = server.receipts.get(entry.id)
      const isSame = receipt && receipt.number === entry.number && receipt.body_hash === entry.receipt?.body_hash
      if (!isSame)
        broken.push({
          invariant: 6,
          what: `${device.name} calls ${entry.title} ${entry.id} sent as #${entry.number}; the server has ${receipt?.number}`,
        })
    }
  }
  return broken
}

/** 6: every open tab shows the right number of unsent commands. */
function wrongCounts(device: SimulatedDevice, outbox: readonly OutboxCommand[]): string[] {
  const unsent = outbox.filter(({ state }) => state !== 'needs-attention').length
  return device.tabs.flatMap(({ device: app, process }) => {
    const shown = app?.connection.getState().unsent ?? unsent
    return shown === unsent || process.state !== 'alive' ? [] : [`${process.name} shows ${shown} unsent, there are ${unsent}`]
  })
}

/** 3: returns the differences between a device's mirror and the server, for its signed-in user. */
async function mirrorProblems({ device, app }: DeviceState, clinic: ClinicServer): Promise<string[]> {
  const home = app.session.state.getState().home
  if (!home) return ['nobody is signed in']
  const { hot } = app
  const problems = device.keepsPatients ? await patientProblems(app, clinic) : []
  const compare = (name: string, here: string[], there: string[]) => {
    const isHere = new Set(here)
    const isThere = new Set(there)
    const missing = there.filter((row) => !isHere.has(row))
    const extra = here.filter((row) => !isThere.has(row))
    if (here.length !== isHere.size) problems.push(`${name} are there twice`)
    if (missing.length > 0) problems.push(`${name} missing: ${missing.slice(0, 3).join(', ')} (${missing.length})`)
    if (extra.length > 0) problems.push(`${name} too many: ${extra.slice(0, 3).join(', ')} (${extra.length})`)
  }
  const rows = async (text: string, value: number) => (await clinic.ask<{ line: string }>(text, [value])).map(({ line }) => line)
  const store = home.store_id
  const sheets = (await hot.sheets.toArray()).filter((sheet) => sheet.store_id === store)
  const ofStore = new Set(sheets.map((sheet) => sheet.id_count_sheet))
  compare(
    'sheets',
    sheets.map((sheet) => `${sheet.id_count_sheet} ${sheet.phase} ${sheet.revision} ${sheet.notes}`),
    await rows(
      `select id_count_sheet || ' ' || phase || ' ' || revision || ' ' || notes as line from count_sheets where store_id = $1 and deleted_at is null`,
      store,
    ),
  )
  compare(
    'scans',
    (await hot.scans.toArray()).filter((scan) => ofStore.has(scan.id_count_sheet)).map((scan) => `${scan.id} ${scan.revision}`),
    await rows(`select id || ' ' || revision as line from count_scans where store_id = $1 and ${stillThere}`, store),
  )
  compare(
    'expected pieces',
    (await hot.items.toArray())
      .filter((page) => ofStore.has(page.id_count_sheet))
      .flatMap((page) => page.items.map((item) => `${item.id_count_sheet}/${item.id_inventory} ${item.revision}`)),
    await rows(
      `select id_count_sheet || '/' || id_inventory || ' ' || revision as line from count_items where store_id = $1 and ${stillThere}`,
      store,
    ),
  )
  compare(
    'decisions',
    (await hot.decisions.toArray())
      .filter((decision) => ofStore.has(decision.id_count_sheet))
      .map((decision) => `${decision.id_count_sheet}/${decision.key} ${decision.decision} ${decision.revision}`),
    await rows(
      `select id_count_sheet || '/' || key || ' ' || decision || ' ' || revision as line from count_decisions where store_id = $1 and ${stillThere}`,
      store,
    ),
  )
  compare(
    'punches',
    (await hot.punches.toArray()).map((punch) => `${punch.id} ${punch.id_user} ${punch.revision}`),
    await rows(`select id || ' ' || id_user || ' ' || revision as line from punches where id_user = $1`, home.id_user),
  )
  const frames = await clinic.ask<{ id: number; revision: number; status: string; store_id: number }>(
    `select id_inventory as id, revision::int as revision, status, store_id from frames where deleted_at is null`,
  )
  compare(
    'frames',
    frames.flatMap(({ id }) => {
      const frame = app.frames.get(id)
      return frame ? [`${id} ${frame.revision} ${frame.status} ${frame.store_id}`] : []
    }),
    frames.map(({ id, revision, status, store_id }) => `${id} ${revision} ${status} ${store_id}`),
  )
  if (app.frames.size() !== frames.length) problems.push(`there are ${app.frames.size()} frames, not ${frames.length}`)
  return problems
}

/** Devices do not mirror the rows of a deleted sheet. */
const stillThere = 'id_count_sheet in (select id_count_sheet from count_sheets where deleted_at is null)'

/** Returns true when the command needs a person, or depends on such a command before it in its lane. */
function waitsForPerson(command: OutboxCommand, outbox: readonly OutboxCommand[]): boolean {
  if (command.state === 'needs-attention') return true
  return outbox.some(
    (other) =>
      other.lane === command.lane &&
      other.state === 'needs-attention' &&
      laneBlockers.some((kind) => kind === other.kind) &&
      other.lane_seq <= command.lane_seq,
  )
}

function leavesRow({ kind }: PerformedAction): boolean {
  return ['count.scan', 'count.undo', 'punch.record'].includes(kind)
}

function idOf(world: World, person: string | null): number | null {
  if (person === null) return null
  return Object.values(world.server.seed.users).find(({ username }) => username === person)?.id_user ?? null
}

async function readServer(clinic: ClinicServer): Promise<ServerState> {
  const receipts = await clinic.ask<ReceiptRow>('select command_id, number::int as number, author_id, body_hash, received_at from receipts')
  const scans = await clinic.ask<{ id: string; author_id: number }>('select id, author_id from count_scans')
  const punches = await clinic.ask<{ id: string }>('select id from punches')
  const given = await clinic.ask<{ discarded_id: string }>('select discarded_id from discarded_commands')
  return {
    receipts: new Map(receipts.map((row) => [row.command_id, row])),
    effects: new Map([
      ...scans.map(({ id, author_id }): [string, { author_id: number | null }] => [id, { author_id }]),
      ...punches.map(({ id }): [string, { author_id: number | null }] => [id, { author_id: null }]),
    ]),
    given: new Set(given.map(({ discarded_id }) => discarded_id)),
  }
}

async function readDevices(world: World): Promise<DeviceState[]> {
  const states: DeviceState[] = []
  for (const device of world.devices) {
    const app = device.tabs.find((tab) => tab.device && tab.process.state === 'alive')?.device
    if (!app) continue
    states.push({ device, app, outbox: await app.hot.outbox.toArray(), settled: await app.hot.settled.toArray() })
  }
  return states
}
