import { useCallback, useEffect, useRef, useState } from 'react'
import { frameLibraryEndpoints as library, type LibraryFilters, type Product } from '#contract/library/frame-library.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { showToast } from '#src/ui/toast-store.ts'

/** What is looked for; empty where nothing was said. */
export type Looked = Record<Exclude<keyof LibraryFilters, 'in_stock' | 'discontinued'>, string> & {
  in_stock: boolean
  discontinued: boolean
}

export const nothingLooked: Looked = { search: '', type: '', gender: '', shape: '', material: '', in_stock: false, discontinued: false }

export function isLooked(looked: Looked): boolean {
  return Object.entries(looked).some(([, value]) => (typeof value === 'string' ? value.trim() !== '' : value))
}

type Query = { [Filter in keyof LibraryFilters]: NonNullable<LibraryFilters[Filter]> }

function queryOf({ in_stock, discontinued, ...words }: Looked): Partial<Query> {
  const said = Object.entries(words).filter(([, value]) => value.trim() !== '')
  return {
    ...(Object.fromEntries(said) as Partial<Query>),
    ...(in_stock && { in_stock: '1' as const }),
    ...(discontinued && { discontinued: '1' as const }),
  }
}

/** The tree: all of it, or the branches that have something of what is looked for. */
export function useTree(looked: Looked) {
  const device = useDevice()
  return useLoaded(
    useCallback(
      () => (isLooked(looked) ? device.call(library.searchTree, { query: queryOf(looked) }) : device.call(library.libraryTree, {})),
      [device, looked],
    ),
  )
}

type Page = { products: readonly Product[]; page: number; total: number }

/** Products of a brand, or of a search where none is chosen; page by page. */
export function useProducts(looked: Looked, brandId: number | null, times: number) {
  const device = useDevice()
  const [state, setState] = useState<{ of: string; value: Page | null; failure: Failure | null }>({ of: '', value: null, failure: null })
  const [isLoading, setLoading] = useState(false)
  const asked = useRef(0)
  const isAsked = brandId !== null || isLooked(looked)
  const of = JSON.stringify([looked, brandId])

  const load = useCallback(
    async (page: number) => {
      asked.current += 1
      const mine = asked.current
      setLoading(true)
      const query = { ...queryOf(looked), ...(brandId !== null && { brand_id: String(brandId) }), page: String(page) }
      const answer = await device.call(library.libraryProducts, { query })
      // An answer that a later question has overtaken is no answer.
      if (asked.current !== mine) return
      setLoading(false)
      if (!answer.ok && page > 1) return showToast({ title: 'Couldn’t load the rest', description: answer.failure.message, tone: 'bad' })
      setState((before) => {
        if (!answer.ok) return { of, value: before.of === of ? before.value : null, failure: answer.failure }
        const { products, total } = answer.value
        const known = page > 1 && before.of === of ? (before.value?.products ?? []) : []
        return { of, value: { products: [...known, ...products], page, total }, failure: null }
      })
    },
    [device, looked, brandId, of],
  )
  useEffect(() => {
    if (!isAsked) return
    const timer = setTimeout(() => void load(1))
    return () => clearTimeout(timer)
  }, [isAsked, load, times])

  const current = state.of === of ? state : { value: null, failure: null }
  const { value } = current
  const hasMore = value !== null && value.products.length < value.total
  return { ...current, isLoading, more: hasMore ? () => void load(value.page + 1) : null, reload: () => void load(1) }
}
