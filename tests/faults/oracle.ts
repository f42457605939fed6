import type { CountScan, CountSheet } from '#contract/counts/count-sheets.ts'
import type { OutboxCommand, SettledCommand } from '#src/db/hot/hot.ts'
import { groupedBy } from '#tests/e2e/count-room.ts'
import type { Said } from '#tests/faults/observer.ts'

/**
 * The facts that must hold once the network is healed and a user is signed in everywhere. It compares acts and screens
 * with the server's tables, and knows nothing of the product's code.
 */

/** One scan. No code is scanned twice on a sheet, so a code identifies the scan. */
export type Pulled = { tablet: string; code: string; author: string; at: number }
/** One press of a button. `told`: the screen confirmed it. */
export type Pressed = { tablet: string; what: 'undo' | 'note' | 'recount'; text: string; author: string; told: boolean }
/**
 * `kept`: clocked in or out, or saved on the tablet. `already`: nothing changed. `refused`: the screen said no. Null:
 * the answer never came.
 */
export type PunchPressed = { tablet: string; username: string; from: number; until: number; told: 'kept' | 'already' | 'refused' | null }

export type TabletBooks = {
  name: string
  said: readonly Said[]
  outbox: readonly OutboxCommand[]
  settled: readonly SettledCommand[]
  /** The rows on this tablet, by collection. */
  mirror: Mirrored
  /** The server's rows for the user who is signed in here. */
  expected: Mirrored
  /** The counted number in each of its windows. */
  counted: readonly number[]
}
export type Mirrored = Record<string, readonly Record<string, unknown>[]>

export type ServerBooks = {
  receipts: readonly { command_id: string; number: number; kind: string; author_id: number | null; received_at: string }[]
  /** The events of this round's sheet. */
  scans: readonly (Pick<CountScan, 'id' | 'raw_code' | 'negates' | 'author_id' | 'walk' | 'finding' | 'id_inventory'> & {
    author: string
  })[]
  sheet: Pick<CountSheet, 'id_count_sheet' | 'notes' | 'walk'> | null
  /** The punches that arrived in this round. */
  punches: readonly { id: string; username: string; device_wall: string; author: string | null }[]
}

export type Evidence = {
  pulled: readonly Pulled[]
  pressed: readonly Pressed[]
  punched: readonly PunchPressed[]
  tablets: readonly TabletBooks[]
  server: ServerBooks
}

/** Returns every fault as a sentence; empty when all is well. */
export function findFaults(evidence: Evidence): string[] {
  return [
    ...waiting(evidence),
    ...savedArrivedOnce(evidence),
    ...nothingInvented(evidence),
    ...receiptsAgree(evidence),
    ...neverSentTooEarly(evidence),
    ...inOrder(evidence),
    ...undone(evidence),
    ...notesAndRecounts(evidence),
    ...punchesOnce(evidence),
    ...mirrorsEqual(evidence),
    ...screensAgree(evidence),
  ]
}

const waitsWithReason = (command: OutboxCommand) => command.state === 'needs-attention' && command.last_error !== null

/** Work that is left on a tablet must wait for a person, with a reason. */
function waiting({ tablets }: Evidence): string[] {
  return tablets.flatMap(({ name, outbox }) =>
    outbox
      .filter((command) => !waitsWithReason(command))
      .map((command) => `STALLED: tablet ${name} still holds “${command.title}” (${command.state}) and gives no reason`),
  )
}

function savedArrivedOnce({ tablets, server, pulled }: Evidence): string[] {
  const faults: string[] = []
  const scansOf = groupedBy(
    server.scans.filter((scan) => scan.negates === null),
    (scan) => scan.raw_code,
  )
  for (const { name, said, outbox } of tablets) {
    const promised = new Set(said.map(({ code }) => code))
    for (const code of promised) {
      const arrived = scansOf.get(code)?.length ?? 0
      const waits = outbox.some((command) => command.kind === 'count.scan' && command.body['raw_code'] === code && waitsWithReason(command))
      if (arrived + (waits ? 1 : 0) === 0) {
        const words = said.filter((one) => one.code === code).map(({ word }) => word)
        faults.push(`LOST: tablet ${name} said ${words.join(', ')} of ${code}, and neither the server nor the tablet has it`)
      }
    }
  }
  for (const [code, scans] of scansOf) {
    if (scans.length > 1) faults.push(`DUPLICATED: ${code} was scanned once and is ${scans.length} times at the server`)
  }
  const pulledOf = new Map(pulled.map((one) => [one.code, one]))
  for (const scan of server.scans) {
    const by = pulledOf.get(scan.raw_code)?.author
    if (scan.negates === null && by !== undefined && by !== scan.author) {
      faults.push(`MISATTRIBUTED: ${by} scanned ${scan.raw_code}, and the server calls it ${scan.author}’s`)
    }
  }
  return faults
}

function nothingInvented({ server, pulled, pressed }: Evidence): string[] {
  const codes = new Set(pulled.map(({ code }) => code))
  const faults = server.scans
    .filter((scan) => !codes.has(scan.raw_code))
    .map((scan) => `INVENTED: the server has ${scan.raw_code}, which nobody scanned`)
  const undos = server.scans.filter((scan) => scan.negates !== null).length
  const presses = pressed.filter(({ what }) => what === 'undo').length
  if (undos > presses) faults.push(`DUPLICATED: ${presses} times someone pressed Undo, and the server has ${undos} undoings`)
  return faults
}

/** The server must have a receipt for each settled command, with the same number and author. */
function receiptsAgree({ tablets, server }: Evidence): string[] {
  const faults: string[] = []
  const receiptOf = new Map(server.receipts.map((receipt) => [receipt.command_id, receipt]))
  for (const { name, settled, outbox } of tablets) {
    const waits = new Set(outbox.map(({ id }) => id))
    for (const entry of settled) {
      const receipt = receiptOf.get(entry.id)
      if (waits.has(entry.id)) faults.push(`“${entry.title}” is both settled and waiting on tablet ${name}`)
      if (entry.outcome !== 'applied') continue
      if (!receipt) {
        faults.push(`LOST: tablet ${name} holds a receipt of “${entry.title}” that the server never gave`)
        continue
      }
      if (receipt.number !== entry.number) faults.push(`“${entry.title}” has number ${receipt.number}, tablet ${name} says ${entry.number}`)
      if (entry.command.kind !== 'punch.record' && receipt.author_id !== entry.command.author.id_user) {
        faults.push(`MISATTRIBUTED: “${entry.title}” of ${entry.author_name} is received as of person ${receipt.author_id}`)
      }
    }
  }
  for (const scan of server.scans)
    if (!receiptOf.has(scan.id)) faults.push(`The scan of ${scan.raw_code} is at the server without a receipt`)
  return faults
}

function neverSentTooEarly({ tablets, server }: Evidence): string[] {
  const receiptOf = new Map(server.receipts.map((receipt) => [receipt.command_id, receipt]))
  const scanOf = new Map(server.scans.filter((scan) => scan.negates === null).map((scan) => [scan.raw_code, scan]))
  return tablets.flatMap(({ name, said }) =>
    said.flatMap(({ code, word, at }) => {
      const scan = scanOf.get(code)
      if (word !== 'Sent' || !scan) return []
      const receipt = receiptOf.get(scan.id)
      if (receipt && Date.parse(receipt.received_at) <= at) return []
      return [
        `SENT TOO EARLY: tablet ${name} said Sent of ${code} at ${new Date(at).toISOString()}, received ${receipt?.received_at ?? 'never'}`,
      ]
    }),
  )
}

/**
 * A scan that was saved before the next scan on its tablet must be received before it. The same holds within each lane.
 */
function inOrder({ tablets, server, pulled }: Evidence): string[] {
  const faults: string[] = []
  const numberOf = new Map(server.receipts.map((receipt) => [receipt.command_id, receipt.number]))
  const scanOf = new Map(server.scans.filter((scan) => scan.negates === null).map((scan) => [scan.raw_code, scan]))
  for (const { name, said, settled } of tablets) {
    const own = pulled.filter(({ tablet }) => tablet === name)
    const saved = said
      .filter(({ word, code }) => word === 'Saved' && own.some((one) => one.code === code))
      .map(({ code, at }) => ({ code, at, number: numberOf.get(scanOf.get(code)?.id ?? '') }))
      .sort((one, other) => one.at - other.at)
    for (const { code, at } of own) {
      const number = numberOf.get(scanOf.get(code)?.id ?? '')
      if (number === undefined) continue
      const after = saved.find((one) => one.at < at && one.number !== undefined && one.number > number)
      if (after)
        faults.push(
          `OUT OF ORDER: tablet ${name} saved ${after.code} before ${code} was scanned, and the server has them the other way round`,
        )
    }
    for (const [lane, entries] of groupedBy(settled, (entry) => `${entry.lane} ${entry.command.device_id}`)) {
      const numbers = entries
        .toSorted((one, other) => one.command.lane_seq - other.command.lane_seq)
        .map((entry) => numberOf.get(entry.id) ?? 0)
      if (numbers.some((number, index) => number < (numbers[index - 1] ?? 0))) faults.push(`OUT OF ORDER: lane ${lane} of tablet ${name}`)
      const places = entries.map((entry) => entry.command.lane_seq)
      if (new Set(places).size < places.length) faults.push(`Two commands of tablet ${name} have one place in lane ${lane}`)
    }
  }
  return faults
}

function undone({ tablets, server }: Evidence): string[] {
  const scanOf = new Map(server.scans.filter((scan) => scan.negates === null).map((scan) => [scan.raw_code, scan.id]))
  const negated = new Set(server.scans.map((scan) => scan.negates))
  const waits = tablets.some(({ outbox }) => outbox.some((command) => command.kind === 'count.undo' && waitsWithReason(command)))
  return tablets.flatMap(({ name, said }) =>
    said
      .filter(({ word, code }) => word === 'Removed' && !waits && !negated.has(scanOf.get(code) ?? ''))
      .map(({ code }) => `LOST: tablet ${name} said Removed of ${code}, and the server still counts it`),
  )
}

function notesAndRecounts({ tablets, server, pressed }: Evidence): string[] {
  const faults: string[] = []
  const numberOf = new Map(server.receipts.map((receipt) => [receipt.command_id, receipt.number]))
  const lane = `count:${server.sheet?.id_count_sheet}`
  const made = tablets.flatMap(({ name, outbox, settled }) => [
    ...settled.filter((entry) => entry.lane === lane).map(({ command }) => ({ tablet: name, command, waits: false })),
    ...outbox.filter((command) => command.lane === lane).map((command) => ({ tablet: name, command, waits: true })),
  ])
  for (const { tablet, what, text, author, told } of pressed) {
    if (what !== 'note') continue
    const found = made.filter(({ command }) => command.kind === 'count.note' && command.body['notes'] === text)
    if (told && found.length === 0) faults.push(`LOST: the note “${text}” that tablet ${tablet} saved`)
    if (found.length > 1) faults.push(`DUPLICATED: the note “${text}” stands ${found.length} times on the tablets`)
    for (const { command } of found) {
      if (command.author.name !== author) faults.push(`MISATTRIBUTED: the note “${text}” of ${author} is ${command.author.name}’s`)
    }
  }
  const notes = made.filter(({ command, waits }) => command.kind === 'count.note' && !waits)
  const last = notes.toSorted((one, other) => (numberOf.get(other.command.id) ?? 0) - (numberOf.get(one.command.id) ?? 0))[0]
  if (last && last.command.body['notes'] !== server.sheet?.notes) {
    faults.push(`The note received last is “${String(last.command.body['notes'])}”, the sheet says “${server.sheet?.notes}”`)
  }
  for (const { name } of tablets) {
    const presses = pressed.filter(({ tablet, what }) => tablet === name && what === 'recount')
    const made_ = made.filter(({ tablet, command }) => tablet === name && command.kind === 'count.recount').length
    const told = presses.filter((press) => press.told).length
    if (made_ < told) faults.push(`LOST: tablet ${name} began ${told} recounts and has ${made_}`)
    if (made_ > presses.length) faults.push(`DUPLICATED: on tablet ${name} ${presses.length} recounts were begun, and it has ${made_}`)
  }
  const recounts = made.filter(({ command, waits }) => command.kind === 'count.recount' && !waits).length
  if (server.sheet?.walk !== 1 + recounts) faults.push(`After ${recounts} recounts the sheet is in walk ${server.sheet?.walk}`)
  return faults
}

function punchesOnce({ punched, server, tablets }: Evidence): string[] {
  const faults: string[] = []
  const explained = new Set<string>()
  for (const { tablet, username, from, until, told } of punched) {
    const at = `${username}’s punch of ${new Date(from).toISOString()} on tablet ${tablet}`
    const found = server.punches.filter((punch) => punch.username === username && isWithin(Date.parse(punch.device_wall), from, until))
    for (const { id, author } of found) {
      explained.add(id)
      if (author !== username) faults.push(`MISATTRIBUTED: ${at} is ${author ?? 'nobody'}’s`)
    }
    const waits = tablets.some(({ outbox }) =>
      outbox.some(
        (command) =>
          command.kind === 'punch.record' && waitsWithReason(command) && isWithin(Date.parse(command.captured.wall), from, until),
      ),
    )
    if (found.length > 1) faults.push(`DUPLICATED: ${at} is ${found.length} times at the server`)
    if (told === 'kept' && found.length === 0 && !waits) faults.push(`LOST: ${at}`)
    if (told === 'refused' && found.length > 0) faults.push(`The screen refused ${at}, and the server has it`)
  }
  for (const { id, username, device_wall } of server.punches) {
    if (!explained.has(id)) faults.push(`INVENTED: a punch of ${username} at ${device_wall} that nobody made`)
  }
  return faults
}

function mirrorsEqual({ tablets }: Evidence): string[] {
  return tablets.flatMap(({ name, mirror, expected }) =>
    Object.keys(expected).flatMap((collection) => {
      const here = new Set((mirror[collection] ?? []).map(sorted))
      const there = new Set((expected[collection] ?? []).map(sorted))
      const missing = [...there].filter((row) => !here.has(row))
      const extra = [...here].filter((row) => !there.has(row))
      if (missing.length + extra.length === 0) return []
      return [
        `MIRROR: tablet ${name} lacks ${missing.length} rows of ${collection} and has ${extra.length} that the server does not have.` +
          ` The server’s: ${missing[0] ?? 'none'}. The tablet’s: ${extra[0] ?? 'none'}`,
      ]
    }),
  )
}

/** Returns the number of counted pieces: expected, scanned in the current walk, and not undone. */
export function countedBy({ scans, sheet }: Pick<ServerBooks, 'scans' | 'sheet'>): number {
  const negated = new Set(scans.map((scan) => scan.negates))
  const counted = scans.filter(
    (scan) => scan.negates === null && scan.finding === 'expected' && scan.walk === sheet?.walk && !negated.has(scan.id),
  )
  return new Set(counted.map((scan) => scan.id_inventory)).size
}

function screensAgree({ tablets, server }: Evidence): string[] {
  // Work that waits for a person shows on its own tablet only.
  if (tablets.some(({ outbox }) => outbox.length > 0)) return []
  const counted = countedBy(server)
  return tablets.flatMap(({ name, counted: shown }) =>
    shown.filter((number) => number !== counted).map((number) => `A window of tablet ${name} shows ${number} counted, it is ${counted}`),
  )
}

function isWithin(at: number, from: number, until: number): boolean {
  return at >= from && at <= until
}

/** A row as text, with its fields in a fixed order. */
function sorted(row: Record<string, unknown>): string {
  return JSON.stringify(row, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )
}
