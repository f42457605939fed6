import { sql, type RawBuilder } from 'kysely'
import { gtin14 } from '#contract/core/codes.ts'
import { inventoryStatuses } from '#contract/stock/frames.ts'
import { isInStock } from '#contract/stock/stock-state.ts'

/** True for pieces of the table `frames` that are in a store, for sale or not. */
export const lyingInStock: RawBuilder<boolean> = sql<boolean>`(frames.status in (${sql.join(inventoryStatuses.filter(isInStock))})
  and frames.deleted_at is null)`

const mostWords = 8

/** Splits the typed text into words. Each word must match somewhere. A UPC may be typed in groups. */
export function searchedWords(typed: string | undefined): { like: string; gtin: string | null }[] {
  const text = typed?.trim() ?? ''
  if (text === '') return []
  const words = gtin14(text) === null ? text.split(/\s+/).slice(0, mostWords) : [text]
  // `%` and `_` match literally.
  return words.map((word) => ({ like: `%${word.replace(/[\\%_]/g, '\\$&')}%`, gtin: gtin14(word) }))
}
