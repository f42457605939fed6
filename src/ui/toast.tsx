import { useEffect, useRef, useState, type ComponentType } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from 'zustand'
import { quietMoment } from './quiet-moment.ts'
import type { ToastCardProps } from './toast-card.tsx'
import { toastStore } from './toast-store.ts'

let fetched: ComponentType<ToastCardProps> | null = null

/** Fetches the code that shows a toast. No page waits for it. */
export async function fetchToastCard(): Promise<void> {
  fetched ??= (await import('./toast-card.tsx')).ToastCard
}

/** The place where the one toast shows. F8 brings the focus here. Mounted once, for the whole app. */
export function ToastArea() {
  const toast = useStore(toastStore, (state) => state.toast)
  const area = useRef<HTMLElement>(null)
  const [, setFetched] = useState(false)

  useEffect(() => {
    void quietMoment()
      .then(fetchToastCard)
      .catch(() => undefined)
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'F8') return
      event.preventDefault()
      area.current?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])

  useEffect(() => {
    // A part that cannot be fetched is tried again with the next toast.
    if (toast && !fetched)
      void fetchToastCard().then(
        () => setFetched(true),
        () => undefined,
      )
  }, [toast])

  const Card = fetched
  const card = toast && Card && <Card key={toast.id} toast={toast} />
  // At the root of the page: an open dialog closes off everything beside it, and a screen reader would skip the toast.
  return createPortal(
    // Above dialogs, below the cover of a locked tablet.
    <section ref={area} aria-label="Notifications (F8)" tabIndex={-1} className="pointer-events-none fixed top-0 left-0 z-45">
      {/* Both live regions exist from the start: a screen reader does not read one that arrives together with its text. */}
      <div aria-live="polite" aria-atomic="true">
        {toast?.tone !== 'bad' && card}
      </div>
      <div aria-live="assertive" aria-atomic="true">
        {toast?.tone === 'bad' && card}
      </div>
    </section>,
    document.body,
  )
}
