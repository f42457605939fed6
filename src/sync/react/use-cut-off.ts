import type { CutOff, KeptBecause } from '#src/sync/device/act.ts'
import { useConnection, useSession } from '#src/sync/react/device-context.tsx'

/** Why the server cannot be asked now; null when it can. */
export function useCutOff(): CutOff | null {
  const isOffline = useConnection((connection) => connection.online) === false
  const hasEnded = useSession(({ ended }) => ended !== null)
  if (isOffline) return 'offline'
  return hasEnded ? 'signed-out' : null
}

/** Says when the kept work of this tablet is sent. */
export function untilSent(why: KeptBecause | null): string {
  return why === 'signed-out' ? 'after you sign in' : 'when you’re back online'
}
