import { useCallback, useEffect } from 'react'
import { tabletEndpoints } from '#contract/people/tablets.ts'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { useLoaded, type Loaded } from '#src/sync/react/use-loaded.ts'

export type TabletList = ResponseOf<typeof tabletEndpoints.listTablets>

const refreshMs = 30_000
const timeoutMs = 15_000

/** Loads the tablets: every half minute, when the user returns to the page, and when the connection returns. */
export function useTablets(): Loaded<TabletList> {
  const device = useDevice()
  const isOnline = useConnection((connection) => connection.online) !== false
  const load = useCallback(() => device.call(tabletEndpoints.listTablets, {}, { timeoutMs }), [device])
  const tablets = useLoaded(load)
  const { reload } = tablets
  useEffect(() => {
    if (!isOnline) return
    const look = () => {
      if (document.visibilityState === 'visible') void reload()
    }
    look()
    const timer = setInterval(look, refreshMs)
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [isOnline, reload])
  return tablets
}
