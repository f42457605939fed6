import { inventoryEndpoints } from '#contract/stock/frames.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { useReference } from '#src/sync/react/use-reference.ts'

export type Store = { store_id: number; store_name: string; short_name: string }

const noStores: readonly Store[] = []

/** Every store of the chain. Without a connection, and before the first answer, only the user's own stores. */
export function useStores(): readonly Store[] {
  const own = useSession((session) => session.home?.locations)
  const { value } = useReference(inventoryEndpoints.stores)
  return value?.stores ?? own ?? noStores
}
