import { type Kysely, sql } from 'kysely'
import { gtin14, normaliseCode } from '#contract/core/codes.ts'
import type { ScanVia } from '#contract/counts/count-sheets.ts'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import type { Schema } from '#server/platform/db/schema.ts'

export type Piece = {
  id_inventory: number
  serial: string
  sku: string
  gtin: string | null
  store_id: number
  status: InventoryStatus
}

/** The device's part of a scan: the raw code, and the piece that its mirror or its user chose. */
export type ReadCode = { raw_code: string; id_inventory: number | null; via: ScanVia }

export type Resolved = { kind: 'piece'; piece: Piece } | { kind: 'model' } | { kind: 'unknown' }

/** Reads everything that these codes could name in two statements. The returned function resolves each code. */
export async function resolveCodes(db: Kysely<Schema>, codes: readonly ReadCode[]): Promise<(code: ReadCode) => Resolved> {
  const typed = [...new Set(codes.map((code) => normaliseCode(code.raw_code)).filter((code) => code !== ''))]
  const chosen = [...new Set(codes.flatMap((code) => (code.id_inventory === null ? [] : [code.id_inventory])))]
  const models = [...new Set(codes.flatMap((code) => gtin14(code.raw_code) ?? []))]

  const pieces = await db
    .selectFrom('frames')
    .select(['id_inventory', 'serial', 'sku', 'gtin', 'store_id', 'status'])
    .where('deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where('serial', '=', sql<string>`any(${typed}::text[])`),
        where('sku', '=', sql<string>`any(${typed}::text[])`),
        where('id_inventory', '=', sql<number>`any(${chosen}::int[])`),
      ]),
    )
    .execute()
  const known =
    models.length === 0
      ? []
      : await db
          .selectFrom('frames')
          .select('gtin')
          .distinct()
          .where('deleted_at', 'is', null)
          .where('gtin', '=', sql<string>`any(${models}::text[])`)
          .execute()

  const bySerial = new Map(pieces.map((piece) => [piece.serial, piece]))
  const bySku = new Map(pieces.map((piece) => [piece.sku, piece]))
  const byId = new Map(pieces.map((piece) => [piece.id_inventory, piece]))
  const knownModels = new Set(known.map((row) => row.gtin))

  return (code) => {
    const text = normaliseCode(code.raw_code)
    const exact = bySerial.get(text) ?? bySku.get(text)
    if (exact) return { kind: 'piece', piece: exact }
    const chosenPiece = code.id_inventory === null ? undefined : byId.get(code.id_inventory)
    if (chosenPiece && isChoice(code, text, chosenPiece)) return { kind: 'piece', piece: chosenPiece }
    const model = gtin14(code.raw_code)
    return model !== null && knownModels.has(model) ? { kind: 'model' } : { kind: 'unknown' }
  }
}

/** True when a user chose this piece from a list, or typed the end of its code. */
function isChoice(code: ReadCode, text: string, piece: Piece): boolean {
  if (code.via === 'picked') return true
  return code.via === 'typed' && text !== '' && (piece.serial.endsWith(text) || piece.sku.endsWith(text))
}
