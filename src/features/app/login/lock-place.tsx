import { type ComponentType, useEffect, useState } from 'react'
import { useSession } from '#src/sync/react/device-context.tsx'
import { quietMoment } from '#src/ui/quiet-moment.ts'
import type { LockLayerProps } from './components/lock-layer.tsx'
import { mustCover } from './model/must-cover.ts'

/** Mounts the lock. Its code loads in a quiet moment, or at once when it is needed. Until then the page is covered. */
export function LockPlace(props: LockLayerProps) {
  const { locked, ended } = useSession((session) => session)
  const isNeeded = locked || ended !== null
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
  if (Layer) return <Layer {...props} />
  const isCovered = locked || (ended !== null && mustCover(ended, props.pathname))
  return isCovered && <div className="fixed inset-0 z-50 bg-paper p-6">{locked ? 'This tablet is locked.' : 'Your session ended.'}</div>
}
