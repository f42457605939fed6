import type { CommandBody, CommandKind } from '#contract/sync/commands.ts'
import type { CountItem, CountSheet } from '#contract/counts/count-sheets.ts'
import { isInScope } from '#contract/counts/counting.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import type { FrameMirror } from '#src/sync/device/device.ts'

export function laneOf(idCountSheet: string): `count:${string}` {
  return `count:${idCountSheet}`
}

/** Narrows a command of this device. Its kind and version decide the shape of its body. */
export function isKind<K extends CommandKind>(
  command: OutboxCommand,
  kind: K,
): command is OutboxCommand & { kind: K; body: CommandBody<K> } {
  return command.kind === kind
}

/** Returns when it was done in server time, as the server will read it. */
export function capturedAtOf(command: Pick<OutboxCommand, 'captured'>): string {
  return new Date(Date.parse(command.captured.wall) + (command.captured.server_offset_ms ?? 0)).toISOString()
}

/** Returns the sheet that an unsent command will make. */
export function sheetFromCommand(command: OutboxCommand & { body: CommandBody<'count.create'> }): CountSheet {
  const at = capturedAtOf(command)
  return {
    id_count_sheet: command.body.id_count_sheet,
    number: null,
    store_id: command.store_id ?? 0,
    scope: command.body.scope,
    notes: command.body.notes,
    blind: command.body.blind,
    phase: 'counting',
    expected_count: 0,
    created_at: at,
    created_by: command.author.id_user ?? 0,
    created_by_name: command.author.name,
    snapshot_at: at,
    closed_at: null,
    closed_by_name: null,
    walk: 1,
    walk_started_at: at,
    result: null,
    revision: 0,
  }
}

/** Returns the expected frames of a sheet made here, from the mirror. The server's list replaces them. */
export function snapshotOf(sheet: CountSheet, frames: Pick<FrameMirror, 'ofStore'>): CountItem[] {
  return frames
    .ofStore(sheet.store_id)
    .filter((frame) => isInScope(frame, sheet.scope))
    .map((frame) => ({
      id_count_sheet: sheet.id_count_sheet,
      id_inventory: frame.id_inventory,
      sku: frame.sku,
      serial: frame.serial,
      upc: frame.upc,
      brand_id: frame.brand_id,
      brand_name: frame.brand_name,
      title_product: frame.title_product,
      title_variant: frame.title_variant,
      size_lens_width: frame.size_lens_width,
      size_bridge_width: frame.size_bridge_width,
      size_temple_length: frame.size_temple_length,
      pb_selling_price: frame.pb_selling_price,
      status: frame.status,
      board_location: frame.board_location,
      last_seen_at: frame.last_seen_at,
      revision: 0,
    }))
}
