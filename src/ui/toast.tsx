import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useRef, useState, type PointerEvent } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from 'zustand'
import { dismissToast, toastDurationMs, toastStore, type Toast } from './toast-store.ts'
import { textTones } from './tone.ts'

const icons = { good: CircleCheck, bad: CircleAlert, info: Info, warn: TriangleAlert }
const swipeThreshold = 50

/** The place where the one toast shows. F8 brings the focus here. Mounted once, for the whole app. */
export function ToastArea() {
  const toast = useStore(toastStore, (state) => state.toast)
  const area = useRef<HTMLElement>(null)

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'F8') return
      event.preventDefault()
      area.current?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])

  // At the root of the page: an open dialog closes off everything beside it, and a screen reader would skip the toast.
  return createPortal(
    <section
      ref={area}
      aria-label="Notifications (F8)"
      tabIndex={-1}
      // Above dialogs, below the cover of a locked tablet. The toast is above a notice at the foot of the page, whose
      // button stays in reach.
      className="pointer-events-none fixed right-0 z-45 flex w-full flex-col p-3 max-md:top-0 md:bottom-0 md:max-w-[26rem] md:p-4 md:[:root:has([data-foot-notice])_&]:bottom-28"
    >
      {/* Both live regions exist from the start: a screen reader does not read one that arrives together with its text. */}
      <div aria-live="polite" aria-atomic="true">
        {toast && toast.tone !== 'bad' && <ToastCard key={toast.id} toast={toast} />}
      </div>
      <div aria-live="assertive" aria-atomic="true">
        {toast && toast.tone === 'bad' && <ToastCard key={toast.id} toast={toast} />}
      </div>
    </section>,
    document.body,
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState(false)
  const [drag, setDrag] = useState(0)
  const startX = useRef<number | null>(null)
  const remaining = useRef(toastDurationMs)

  // The remaining time stops while a user takes a closer look, by pointer, focus or finger.
  useEffect(() => {
    if (held) return
    const began = performance.now()
    const timer = setTimeout(() => dismissToast(toast.id), remaining.current)
    return () => {
      clearTimeout(timer)
      remaining.current = Math.max(0, remaining.current - (performance.now() - began))
    }
  }, [held, toast.id])

  function onPointerMove(event: PointerEvent) {
    if (startX.current !== null) setDrag(Math.max(0, event.clientX - startX.current))
  }

  function onPointerUp() {
    if (startX.current === null) return
    startX.current = null
    if (drag >= swipeThreshold) dismissToast(toast.id)
    else setDrag(0)
  }

  const Icon = icons[toast.tone]
  return (
    <div
      data-toast={toast.tone}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onPointerDown={(event) => {
        if (event.target instanceof Element && event.target.closest('button')) return
        startX.current = event.clientX
        event.currentTarget.setPointerCapture?.(event.pointerId)
      }}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      style={drag ? { transform: `translateX(${drag}px)`, opacity: 1 - Math.min(0.6, drag / 240) } : undefined}
      className="pointer-events-auto flex animate-arrive touch-pan-y items-start gap-3 rounded-lg border border-line bg-raised py-1 pr-1 pl-4 shadow-raised select-none"
    >
      <Icon size={20} aria-hidden className={`mt-3.5 shrink-0 ${textTones[toast.tone]}`} />
      <div className="min-w-0 flex-1 py-3">
        <p className="font-semibold">{toast.title}</p>
        {toast.description && <p className="text-sm text-ink-2">{toast.description}</p>}
        {toast.action && (
          <button
            type="button"
            className="mt-1 min-h-target font-semibold text-accent-text underline-offset-4 hover:underline"
            onClick={() => {
              toast.action?.run()
              dismissToast(toast.id)
            }}
          >
            {toast.action.label}
          </button>
        )}
      </div>
      <button
        type="button"
        aria-label="Dismiss notification"
        onClick={() => dismissToast(toast.id)}
        className="flex size-target shrink-0 items-center justify-center rounded-md text-ink-3 hover:text-ink"
      >
        <X size={18} aria-hidden />
      </button>
    </div>
  )
}
