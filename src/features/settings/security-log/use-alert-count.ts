import { useEffect, useState } from 'react'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { quietMoment } from '#src/ui/quiet-moment.ts'

const everyMs = 60_000

/**
 * Returns the number of security alerts that this manager has not seen. Asks on opening, every minute, and when the
 * page becomes visible.
 */
export function useAlertCount(): number {
  const device = useDevice()
  const mayRead = useSession((session) => session.home?.permissions.includes('audit.read')) === true
  const isOnline = useConnection((connection) => connection.online) !== false
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (!mayRead) return
    let isGone = false
    let stop = () => {}
    void quietMoment()
      .then(() => import('./model/alerts.ts'))
      .then(({ alertStore, readAlerts }) => {
        if (isGone) return
        setCount(alertStore.getState().unseen)
        const forget = alertStore.subscribe(({ unseen }) => setCount(unseen))
        const look = () => {
          if (isOnline && document.visibilityState === 'visible') void readAlerts(device)
        }
        look()
        const timer = setInterval(look, everyMs)
        document.addEventListener('visibilitychange', look)
        stop = () => {
          forget()
          clearInterval(timer)
          document.removeEventListener('visibilitychange', look)
        }
      })
      // If this code does not load, the menu shows no count. The page itself shows new alerts.
      .catch(() => undefined)
    return () => {
      isGone = true
      stop()
    }
  }, [device, mayRead, isOnline])
  return mayRead ? count : 0
}
