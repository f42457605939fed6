import { useEffect } from 'react'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'

/** The page comes first; then the data for work without a connection, ms. */
const beginMs = 3000
/** How often the work of other stores and tablets is fetched, ms. */
const againMs = 120_000

/**
 * Keeps open transfers and invoices on the tablet while there is a connection. It fetches them again when waiting work
 * has been sent.
 */
export function KeepOpenStock(): null {
  const device = useDevice()
  const seat = useSession(({ home }) => (home ? `${home.id_user} ${home.store_id}` : null))
  const isReady = useConnection(({ online, unsent }) => online === true && unsent === 0)
  useEffect(() => {
    if (seat === null || !isReady) return
    let gone = false
    let timer = setTimeout(run, beginMs)
    function run() {
      const fetched = document.visibilityState === 'hidden' ? Promise.resolve() : fetchOpen()
      // The next time fetches what failed now.
      void fetched
        .catch(() => undefined)
        .finally(() => {
          if (!gone) timer = setTimeout(run, againMs)
        })
    }
    async function fetchOpen() {
      const { keepOpenStock } = await import('#src/domain/kept-stock/keep-open-stock.ts')
      await keepOpenStock(device, () => gone)
    }
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [device, seat, isReady])
  return null
}
