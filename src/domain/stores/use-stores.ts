import { useCallback } from 'react'
import { inventoryEndpoints } from '#contract/stock/frames.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'

export type Store = { store_id: number; store_name: string; short_name: string }

const noStores: readonly Store[] = []

/** Every store of the chain; without a connection, and before it was ever asked, those that one belongs to. */
export function useStores(): readonly Store[] {
  const device = useDevice()
  const own = useSession((session) => session.home?.locations)
  const { value } = useLoaded(useCallback(() => device.call(inventoryEndpoints.stores, {}), [device]))
  return value?.stores ?? own ?? noStores
}
