import { useCallback, useEffect, useState } from 'react'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { isCountOpen } from '../model/install-store.ts'

const lookAgainMs = 3000

/**
 * Whether a count is open in this window or another one of this device; true until that is known. It is looked up only
 * while someone wants to know, since other windows do not tell by themselves.
 */
export function useCountOpen(pathname: string, wanted: boolean): { countOpen: boolean; lookAgain: () => Promise<boolean> } {
  const device = useDevice()
  const here = isCountOpen(pathname)
  const [anywhere, setAnywhere] = useState(true)

  const lookAgain = useCallback(async () => {
    const open = await device.isCountOpen()
    setAnywhere(open)
    return open
  }, [device])

  useEffect(() => {
    if (!wanted || here) return
    // A browser that does not answer leaves it at "open": no update is better than one in the middle of a count.
    const look = () => void lookAgain().catch((error: unknown) => reportError(error))
    look()
    const timer = setInterval(look, lookAgainMs)
    return () => clearInterval(timer)
  }, [wanted, here, lookAgain])

  return { countOpen: here || anywhere, lookAgain }
}
