import { useEffect, useEffectEvent, useState, type ComponentType } from 'react'
import { showToast } from './toast-store.ts'

/**
 * Returns a dialog that fetches its code when it first opens, so that no page waits for unused code. Offline the code
 * comes from the worker's store. When it cannot be fetched, a toast says so, and the page does not change.
 */
export function fetchedDialog<Props extends { onClose: () => void; open?: boolean }>(
  fetch: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return function FetchedDialog(props: Props) {
    const { open = true, onClose } = props
    const [Dialog, setDialog] = useState<ComponentType<Props> | null>(null)
    const giveUp = useEffectEvent(() => {
      showToast({ title: 'Couldn’t open this', description: 'Part of the app didn’t load. Reload the page.', tone: 'bad' })
      onClose()
    })
    useEffect(() => {
      if (!open || Dialog) return
      let gone = false
      fetch().then(
        (fetched) => {
          if (gone) return
          // The dialogs' library tracks the focused element only from its own load on. This event shows it the present
          // one, so that the first dialog gives the focus back too.
          document.activeElement?.dispatchEvent(new FocusEvent('focus'))
          setDialog(() => fetched)
        },
        () => gone || giveUp(),
      )
      return () => {
        gone = true
      }
    }, [open, Dialog])
    return Dialog && <Dialog {...props} />
  }
}
