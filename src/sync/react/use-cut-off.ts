import { useConnection, useSession } from '#src/sync/react/device-context.tsx'

/** Why nothing can be asked of the server now: it is out of reach, or the session has ended. Null when it can be asked. */
export function useCutOff(): 'offline' | 'signed-out' | null {
  const isOffline = useConnection((connection) => connection.online) === false
  const hasEnded = useSession(({ ended }) => ended !== null)
  if (isOffline) return 'offline'
  return hasEnded ? 'signed-out' : null
}

/** When what is kept on this tablet is sent. */
export function untilSent(cutOff: ReturnType<typeof useCutOff>): string {
  return cutOff === 'signed-out' ? 'after you sign in' : 'when you’re back online'
}
