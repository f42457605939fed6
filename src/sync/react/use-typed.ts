import { useEffect, useRef, useState } from 'react'
import type { DraftPlace } from '#src/sync/device/drafts.ts'
import { useDraft } from '#src/sync/react/use-draft.ts'

export type Typed<T> = {
  /** The values on the screen; null while the form looks for the former text. */
  typed: T | null
  /** The unsaved text from when the form was opened. */
  former: T | null
  /** The disk did not keep the last change. */
  isLost: boolean
  change: (next: T) => void
  /** Deletes the draft, because it was saved or is not wanted. The screen does not change. */
  forget: () => Promise<boolean>
  /** Deletes the draft and resets the screen. */
  startOver: () => void
}

type Ways<T> = {
  /** False to begin with `fresh`, even when there is former text. */
  goesOn?: boolean
  /** Whether values are worth keeping; by default, when they differ from the first ones. */
  isWritten?: (next: T) => boolean
}

/**
 * A form that survives a reload: it begins with the former unsaved text, and keeps every change.
 * @param place the form and its object; `patient:` when it holds data of a patient
 * @param fresh the values when there is no former text
 * @param read returns null for text of another version that this one cannot use
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
    // Text typed before the former text is found stays on the screen.
    typed: own?.typed ?? (kept === undefined ? null : goesOn && kept ? kept : fresh),
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
