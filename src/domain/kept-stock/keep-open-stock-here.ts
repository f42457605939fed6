import { useEffect } from 'react'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'

/** The page comes first; then what the tablet needs without a connection. */
const beginMs = 3000
/** What other stores and tablets do is fetched so often. */
const againMs = 120_000

/** Keeps open transfers and invoices on the tablet while there is a connection, and again when what waited here has been sent. */
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
      // What could not be fetched or kept now is fetched the next time.
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
