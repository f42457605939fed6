import { useEffect, useEffectEvent, useState, type ComponentType } from 'react'
import { showToast } from './toast-store.ts'

/**
 * A dialog whose code is fetched when it is opened for the first time, so that no page waits for what nobody has asked
 * for. Offline it comes from the worker's store. When it cannot be fetched that is said, and the page stays as it is.
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
          // The dialogs' library remembers who had the focus from when it was loaded itself. It is told who has it now,
          // so that the first dialog of all gives it back too.
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
