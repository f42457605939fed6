import { useCallback } from 'react'
import { frameLibraryEndpoints as library, type LibraryFilters, type Product } from '#contract/library/frame-library.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { useMore } from '#src/sync/react/use-more.ts'

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

const rowKey = ({ id_product }: Product) => id_product

/** Products of a brand, or of a search where no brand is chosen. */
export function useProducts(looked: Looked, brandId: number | null) {
  const query = { ...queryOf(looked), ...(brandId !== null && { brand_id: String(brandId) }) }
  return useMore(library.libraryProducts, query, 'products', { rowKey, isAsked: brandId !== null || isLooked(looked) })
}
