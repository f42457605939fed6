import { type BookedModel, priceBookEndpoints as book } from '#contract/library/price-book.ts'
import { useMore } from '#src/sync/react/use-more.ts'
import { useSettled } from '#src/sync/react/use-settled.ts'

const rowKey = ({ id_model }: BookedModel) => id_model

/** Loads the lines of the book for a brand or a search. */
export function useBook(brandId: number | null, search: string) {
  const typed = search.trim()
  const settled = useSettled(typed)
  const isAsked = brandId !== null || typed !== ''
  const query = {
    ...(brandId !== null && { brand_id: String(brandId) }),
    ...(settled !== '' && { search: settled }),
    current: '1' as const,
  }
  const lines = useMore(book.bookModels, query, 'models', { rowKey, isAsked: isAsked && settled === typed })
  return { ...lines, isAsked }
}
