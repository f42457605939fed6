import { useEffect, useEffectEvent, useLayoutEffect, type RefObject } from 'react'
import { dismissToast } from '#src/ui/toast-store.ts'

/**
 * Shows a native dialog above everything. The page behind can be neither reached nor read out, and the focus returns to
 * its place.
 * @param onEscape absent when Escape does nothing
 * @param isCover the page behind leaves the document, and returns with everything typed in it
 */
export function useTopLayer(dialog: RefObject<HTMLDialogElement | null>, onEscape?: () => void, isCover = false): void {
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    dismissToast()
    const putBack = isCover ? takeOut() : null
    return () => {
      putBack?.()
      // Closing gives the focus back, which works only in the document.
      shown?.close()
    }
  }, [dialog, isCover])

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

/**
 * Takes the page and its open dialogs out of the document. React keeps their state. Returns the function that puts them
 * back where they were.
 */
function takeOut(): () => void {
  const { scrollX, scrollY } = window
  const parts = [...document.querySelectorAll('#app, #headlessui-portal-root')].map((part) => {
    const mark = document.createComment('')
    part.replaceWith(mark)
    return { part, mark }
  })
  return () => {
    for (const { part, mark } of parts) mark.replaceWith(part)
    if (scrollX > 0 || scrollY > 0) window.scrollTo(scrollX, scrollY)
  }
}
