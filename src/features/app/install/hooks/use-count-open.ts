import { useCallback, useEffect, useState } from 'react'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { isCountOpen } from '../model/install-store.ts'

const lookAgainMs = 3000

/**
 * Says whether a count is open in this or another window of this device. It says true until it knows. It looks only
 * while `wanted`, because other windows send no notice.
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
    // If the browser does not answer, the count stays "open". No update is better than one in the middle of a count.
    const look = () => void lookAgain().catch((error: unknown) => reportError(error))
    look()
    const timer = setInterval(look, lookAgainMs)
    return () => clearInterval(timer)
  }, [wanted, here, lookAgain])

  return { countOpen: here || anywhere, lookAgain }
}
