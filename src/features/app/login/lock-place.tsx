import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { quietMoment } from '#src/ui/quiet-moment.ts'
import type { LockLayerProps } from './components/lock-layer.tsx'
import { mustCover } from './model/must-cover.ts'

type LockPlaceProps = Omit<LockLayerProps, 'isTakenOver'> & {
  /** Loads a page in a new document. */
  reload: (path: string) => void
}

/** Mounts the lock. Its code loads in a quiet moment, or at once when it is needed. Until then the page is covered. */
export function LockPlace({ reload, ...props }: LockPlaceProps) {
  const { locked, ended } = useSession((session) => session)
  const isTakenOver = useTakenOver(reload)
  const isNeeded = locked || ended !== null || isTakenOver
  const [Layer, setLayer] = useState<ComponentType<LockLayerProps>>()
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let gone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    void (isNeeded ? Promise.resolve() : quietMoment())
      .then(() => import('./components/lock-layer.tsx'))
      .then(
        ({ LockLayer }) => gone || setLayer(() => LockLayer),
        () => gone || (timer = setTimeout(() => setTries(tries + 1), 5000)),
      )
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [isNeeded, tries])
  if (Layer) return <Layer {...props} isTakenOver={isTakenOver} />
  const isCovered = locked || isTakenOver || (ended !== null && mustCover(ended, props.pathname))
  return isCovered && <div className="fixed inset-0 z-50 bg-paper p-6">{locked ? 'This tablet is locked.' : 'Your session ended.'}</div>
}

/**
 * Returns true when another user has signed in over this page. It holds the former user's records and typed text, so
 * the page reloads: at the page that the user had left on this tablet, or at home.
 */
function useTakenOver(reload: (path: string) => void): boolean {
  const device = useDevice()
  const present = useSession((session) => session.home?.id_user ?? null)
  const [owner, setOwner] = useState<number | null>(null)
  if (owner !== present && (owner === null || present === null)) setOwner(present)
  const isTakenOver = owner !== null && present !== null && owner !== present
  const load = useEffectEvent(async () => reload((await device.session.takeLeftPage().catch(() => null)) ?? '/'))
  useEffect(() => {
    if (isTakenOver) void load()
  }, [isTakenOver])
  return isTakenOver
}
