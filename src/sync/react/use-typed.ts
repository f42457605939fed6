import { useEffect, useRef, useState } from 'react'
import type { DraftPlace } from '#src/sync/device/drafts.ts'
import { useDraft } from '#src/sync/react/use-draft.ts'

export type Typed<T> = {
  /** What stands on the screen; null for the moment in which it is looked for what was typed before. */
  typed: T | null
  /** What had been typed when the form was opened, and not saved. */
  former: T | null
  /** The disk did not take the last change. */
  isLost: boolean
  change: (next: T) => void
  /** Off the disk, because it was saved or is not wanted; on the screen it stays as it is. */
  forget: () => Promise<boolean>
  /** Off the disk and off the screen. */
  startOver: () => void
}

type Ways<T> = {
  /** False to begin with `fresh` whatever was typed before. */
  goesOn?: boolean
  /** Whether it is worth keeping; if not told otherwise, whatever is not as it was at the beginning. */
  isWritten?: (next: T) => boolean
}

/**
 * A form that a reload takes nothing from: it begins with what was typed before and not saved, and keeps every change.
 * @param place the form and its object; `patient:` where it holds data of a patient
 * @param fresh how it begins where nothing was
 * @param read null for what another version of the app has written and this one cannot use
 */
export function useTyped<T extends object>(
  place: DraftPlace,
  fresh: T,
  read: (given: unknown) => T | null,
  { goesOn = true, isWritten = (next) => JSON.stringify(next) !== JSON.stringify(fresh) }: Ways<T> = {},
): Typed<T> {
  const { kept, keep, forget } = useDraft(place, read)
  const [touched, setTouched] = useState<{ place: DraftPlace; typed: T; former: T | null } | null>(null)
  const [isLost, setLost] = useState(false)
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const own = touched?.place === place ? touched : null
  const former = own ? own.former : (kept ?? null)
  return {
    typed: kept === undefined ? null : (own?.typed ?? (goesOn && kept ? kept : fresh)),
    former,
    isLost,
    change(next) {
      setTouched({ place, typed: next, former })
      void (isWritten(next) ? keep(next) : forget()).then((isDone) => {
        // The disk may answer after the form has closed.
        if (isShown.current) setLost(!isDone)
      })
    },
    forget,
    startOver() {
      setTouched({ place, typed: fresh, former: null })
      setLost(false)
      void forget()
    },
  }
}
