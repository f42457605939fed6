import { type ComponentType, useEffect, useState } from 'react'
import { useSession } from '#src/sync/device-context.tsx'
import { quietMoment } from '#src/ui/quiet-moment.ts'
import type { LockLayerProps } from './lock-layer.tsx'

/** Where the lock stands. Its code comes in a quiet moment, or at once where it is needed; until it is there the page is covered. */
export function LockPlace(props: LockLayerProps) {
  const locked = useSession((session) => session.locked)
  const [Layer, setLayer] = useState<ComponentType<LockLayerProps>>()
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let gone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    void (locked ? Promise.resolve() : quietMoment())
      .then(() => import('./lock-layer.tsx'))
      .then(
        ({ LockLayer }) => gone || setLayer(() => LockLayer),
        () => gone || (timer = setTimeout(() => setTries(tries + 1), 5000)),
      )
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [locked, tries])
  return Layer ? <Layer {...props} /> : locked && <div className="fixed inset-0 z-50 bg-paper p-6">This tablet is locked.</div>
}
