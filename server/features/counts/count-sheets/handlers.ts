import * as v from 'valibot'
import {
  countLine,
  countScan,
  countSheet,
  type CountLine,
  type CountScan,
  type CountSheet,
  type countSheetEndpoints,
  wholeStore,
} from '#contract/counts/count-sheets.ts'
import { Refusal } from '#contract/core/errors.ts'
import type { AppliedRow } from '#server/platform/http/command-applier.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { runCommand } from '#server/platform/http/run-command.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { readStoreSettings } from '#server/domain/people/store-settings.ts'
import type { Services } from '#server/platform/services.ts'
import { countCommands } from '#server/features/counts/count-sheets/commands.ts'
import { readClosePlan, readDevices } from '#server/features/counts/count-sheets/close-sheet.ts'
import { findSheet, seesExpected, selectSheets, type SheetRow, toCountSheet } from '#server/features/counts/count-sheets/rows.ts'

/** The calls of counting. Every change goes through the same commands that tablets push. */
export const countSheetHandlers: HandlersOf<keyof typeof countSheetEndpoints> = {
  async listCountSheets({ services, scope }) {
    const rows = await selectSheets(services.db.pool)
      .where('sheet.store_id', '=', scope.store_id)
      .where('sheet.deleted_at', 'is', null)
      .orderBy('sheet.created_at', 'desc')
      .orderBy('sheet.number', 'desc')
      .execute()
    return { count_sheets: rows.map((row) => asSeenBy(scope, row)) }
  },

  async createCountSheet(call) {
    const { body, services, scope } = call
    const blind = body.blind ?? (await readStoreSettings(services.db.pool, scope.store_id)).blind_counts
    const given = body.id_count_sheet ?? null
    const create = (id: string) => ({
      // A sheet without its own id takes the id of the call, so that a repeated call names the same sheet.
      id_count_sheet: given ?? id,
      scope: body.scope ?? wholeStore,
      notes: body.notes ?? '',
      blind,
    })
    return sheetIn((await runCommand(call, countCommands['count.create'], create, given)).rows)
  },

  async deleteCountSheet(call) {
    await runCommand(call, countCommands['count.delete'], () => ({ id_count_sheet: call.body.id_count_sheet }))
    return { ok: true }
  },

  async viewCountSheet({ params, services, scope }) {
    const row = await findSheet(services.db.pool, params.id, scope.store_id)
    return { ...asSeenBy(scope, row), devices: await readDevices(services.db.pool, row.id_count_sheet) }
  },

  async noteCountSheet(call) {
    const body = { id_count_sheet: call.params.id, notes: call.body.notes }
    return sheetIn((await runCommand(call, countCommands['count.note'], () => body)).rows)
  },

  async listCountItems({ query, services, scope }) {
    const { pool } = services.db
    const row = await findSheet(pool, query.id_count_sheet, scope.store_id)
    if (!seesExpected(row, scope.permissions))
      throw new Refusal('permission-missing', { message: 'This count is blind until it is closed' })
    const lines = row.phase === 'closed' ? await readClosedLines(pool, row.id_count_sheet) : (await readClosePlan(pool, row)).lines
    const maySeeCost = scope.permissions.has('frame.see-cost')
    return { id_count_sheet: row.id_count_sheet, items: maySeeCost ? lines : lines.map((line) => ({ ...line, cost: null })) }
  },

  async addCountItem(call) {
    const { id_count_sheet, code, via } = call.body
    const body = { id_count_sheet, raw_code: code, id_inventory: null, via: via ?? ('typed' as const), previous_scan: null }
    return scanIn((await runCommand(call, countCommands['count.scan'], () => body)).rows)
  },

  async deleteCountItem(call) {
    const { id_count_sheet, item_id } = call.body
    await runCommand(call, countCommands['count.undo'], () => ({ id_count_sheet, negates: item_id }))
    return { ok: true }
  },

  async closeCountSheet(call) {
    const { confirmed_missing, override_devices = null, searched = false } = call.body
    const body = { id_count_sheet: call.params.id, confirmed_missing, override_devices, searched }
    return sheetIn((await runCommand(call, countCommands['count.close'], () => body)).rows)
  },
}

/** The lines as the closing wrote them. */
async function readClosedLines(db: Services['db']['pool'], idCountSheet: string): Promise<CountLine[]> {
  const lines = await db.selectFrom('count_lines').select('line').where('id_count_sheet', '=', idCountSheet).orderBy('position').execute()
  return lines.map(({ line }) => v.parse(countLine, line))
}

function asSeenBy(scope: Scope, row: SheetRow): CountSheet {
  return toCountSheet(row, seesExpected(row, scope.permissions))
}

function sheetIn(rows: AppliedRow[]): CountSheet {
  return v.parse(countSheet, rows.find((row) => row.collection === 'count_sheets')?.row)
}

function scanIn(rows: AppliedRow[]): CountScan {
  return v.parse(countScan, rows.find((row) => row.collection === 'count_scans')?.row)
}
