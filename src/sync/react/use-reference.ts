import { useCallback } from 'react'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import { loadReference, type ReferenceEndpoint } from '#src/sync/device/load-reference.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { type Loaded, useLoaded } from '#src/sync/react/use-loaded.ts'

/** A reference list of the user's store. It is also there without a connection. */
export function useReference<E extends ReferenceEndpoint>(list: E): Loaded<ResponseOf<E>> {
  const device = useDevice()
  const store = useSession(({ home }) => home?.store_id)
  // Another store has other lists.
  const load = useCallback(() => loadReference(device, list), [device, list, store]) // oxlint-disable-line react-hooks/exhaustive-deps
  return useLoaded(load)
}
