import { useCallback } from 'react'
import { frameLibraryEndpoints as library, type LibraryFilters, type Product } from '#contract/library/frame-library.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { useMore } from '#src/sync/react/use-more.ts'

/** The search and filters. An empty text does not filter. */
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

/** Loads the tree, or only the branches that match the search. */
export function useTree(looked: Looked) {
  const device = useDevice()
  return useLoaded(
    useCallback(
      () => (isLooked(looked) ? device.call(library.searchTree, { query: queryOf(looked) }) : device.call(library.libraryTree, {})),
      [device, looked],
    ),
  )
}

const rowKey = ({ id_product }: Product) => id_product

/** Loads the products of a brand, or of a search in all brands. */
export function useProducts(looked: Looked, brandId: number | null) {
  const query = { ...queryOf(looked), ...(brandId !== null && { brand_id: String(brandId) }) }
  return useMore(library.libraryProducts, query, 'products', { rowKey, isAsked: brandId !== null || isLooked(looked) })
}
