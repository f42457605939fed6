import { useEffect, useEffectEvent, useLayoutEffect, type RefObject } from 'react'
import { dismissToast } from '#src/ui/toast-store.ts'

/**
 * Shows a dialog of the platform above everything: the page behind can be neither reached nor read out, and the focus goes back where it was.
 * @param onEscape absent where Escape does nothing
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
    // The scanner alone hears keys before this: Escape would close a dialog that is open behind, and a shortcut do what nobody sees.
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
