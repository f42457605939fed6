import type { CommandBody } from '#contract/sync/commands.ts'
import type { CountDecision, CountSheet } from '#contract/counts/count-sheets.ts'
import type { CountLedger } from '#contract/counts/count-ledger.ts'
import { findingOf, isInScope } from '#contract/counts/counting.ts'
import type { LedgerScan } from '#contract/counts/scan-lists.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import type { Device, FrameMirror } from '#src/sync/device/device.ts'
import { capturedAtOf } from './sheet-commands.ts'

/** A scan or an undo that waits to be sent. */
export type EventCommand =
  | (OutboxCommand & { kind: 'count.scan'; body: CommandBody<'count.scan'> })
  | (OutboxCommand & { kind: 'count.undo'; body: CommandBody<'count.undo'> })

/** The data, besides the sheet, that a device needs to judge its own work. */
export type Knowledge = {
  frames: Pick<FrameMirror, 'find' | 'get' | 'ofStore'>
  storeName: (id: number) => string
}

export function knowledgeOf(device: Pick<Device, 'frames' | 'session'>): Knowledge {
  return {
    frames: device.frames,
    storeName: (id) =>
      device.session.state.getState().home?.locations.find((store) => store.store_id === id)?.store_name ?? 'another store',
  }
}

/** Returns this device's finding for its own command. The server's finding replaces it later. */
export function readEvent(
  command: EventCommand,
  ledger: CountLedger,
  sheet: CountSheet | null,
  { frames, storeName }: Knowledge,
): LedgerScan {
  const captured = capturedAtOf(command)
  const base = {
    id: command.id,
    previous_scan: null,
    walk: sheet ? (captured >= sheet.walk_started_at ? sheet.walk : Math.max(1, sheet.walk - 1)) : 1,
    captured_at: captured,
    author_id: command.author.id_user ?? 0,
    author_name: command.author.name,
    device_id: command.device_id,
  }
  if (command.kind === 'count.undo') {
    const target = ledger.events.get(command.body.negates)
    return {
      ...base,
      raw_code: target?.raw_code ?? '',
      id_inventory: target?.id_inventory ?? null,
      finding: target?.finding ?? 'unknown',
      finding_detail: null,
      via: target?.via ?? 'scanner',
      negates: command.body.negates,
      walk: target?.walk ?? base.walk,
    }
  }
  const { raw_code, id_inventory, via, previous_scan } = command.body
  return { ...base, raw_code, id_inventory, via, previous_scan, negates: null, ...judged() }

  function judged(): Pick<LedgerScan, 'finding' | 'finding_detail'> {
    if (id_inventory === null || !sheet) {
      return { finding: frames.find(raw_code)?.by === 'upc' ? 'model-only' : 'unknown', finding_detail: null }
    }
    const item = ledger.items.get(id_inventory)
    const frame = frames.get(id_inventory)
    if (!frame) return { finding: item ? 'expected' : 'unknown', finding_detail: null }
    // A blind counter's device has no expected frames, so only the scope can decide.
    const isExpected = item !== undefined || (ledger.items.size === 0 && isInScope(frame, sheet.scope))
    const { finding, detail } = findingOf(frame, sheet, isExpected, storeName)
    return { finding, finding_detail: detail }
  }
}

/** Returns the decision of an unsent command. */
export function readDecision(command: OutboxCommand & { body: CommandBody<'count.decide'> }): CountDecision {
  const { id_count_sheet, decision, reason, id_inventory, id_scan } = command.body
  return {
    id_count_sheet,
    key: id_inventory === null ? `scan:${id_scan}` : `frame:${id_inventory}`,
    decision,
    reason,
    decided_by_name: command.author.name,
    decided_at: capturedAtOf(command),
    revision: 0,
  }
}
