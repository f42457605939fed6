import { useEffect, useEffectEvent, useLayoutEffect, type RefObject } from 'react'
import { dismissToast } from '#src/ui/toast-store.ts'

/**
 * Shows a native dialog above everything. The page behind can be neither reached nor read out, and the focus returns to
 * its place.
 * @param onEscape absent when Escape does nothing
 */
export function useTopLayer(dialog: RefObject<HTMLDialogElement | null>, onEscape?: () => void): void {
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    dismissToast()
    return () => shown?.close()
  }, [dialog])

  const escape = useEffectEvent(() => onEscape?.())
  useEffect(() => {
    // Only the scanner hears keys first. Otherwise Escape would close a dialog behind this one, and a shortcut would
    // act unseen.
    const keep = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.preventDefault()
        escape()
      }
      event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', keep, { capture: true })
    return () => window.removeEventListener('keydown', keep, { capture: true })
  }, [])
}
