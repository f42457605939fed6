import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'
import { freeSpot, type Control, type Spot } from './toast-place.ts'
import { dismissToast, toastDurationMs, type Toast } from './toast-store.ts'
import { textTones } from './tone.ts'

const icons = { good: CircleCheck, bad: CircleAlert, info: Info, warn: TriangleAlert }
const swipeThreshold = 50
/** How often a toast looks whether the page has moved a control under it. */
const lookAgainMs = 250

export type ToastCardProps = { toast: Toast }

/** One toast, where it covers no control. It goes after 5 seconds, or later when a user takes a closer look. */
export function ToastCard({ toast }: ToastCardProps) {
  const card = useRef<HTMLDivElement>(null)
  const spot = useFreeSpot(card)
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
    // A pointer that rested where the toast appeared is no closer look.
    if (event.movementX !== 0 || event.movementY !== 0) setHeld(true)
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
      ref={card}
      data-toast={toast.tone}
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
      style={{
        ...(spot ? { left: spot.left, top: spot.top } : { visibility: 'hidden' }),
        ...(drag && { transform: `translateX(${drag}px)`, opacity: 1 - Math.min(0.6, drag / 240) }),
      }}
      className="pointer-events-auto fixed flex w-[calc(100vw-1.5rem)] max-w-96 animate-arrive touch-pan-y items-start gap-3 rounded-lg border border-line bg-raised py-1 pr-1 pl-4 shadow-raised select-none"
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

/** Where the toast covers no control of the page, also after the page has changed. Null before the first measurement. */
function useFreeSpot(card: RefObject<HTMLElement | null>): Spot | null {
  const [spot, setSpot] = useState<Spot | null>(null)
  useLayoutEffect(() => {
    const stand = () => {
      const shown = card.current
      if (!shown) return
      const size = { width: shown.offsetWidth, height: shown.offsetHeight }
      const page = { width: document.documentElement.clientWidth, height: window.innerHeight }
      setSpot((former) => {
        const next = freeSpot(size, page, reachableControls(shown), former)
        return former?.left === next.left && former.top === next.top ? former : next
      })
    }
    stand()
    const timer = setInterval(stand, lookAgainMs)
    window.addEventListener('resize', stand)
    return () => {
      clearInterval(timer)
      window.removeEventListener('resize', stand)
    }
  }, [card])
  return spot
}

const controls = 'a[href], button, input, select, textarea, summary, [role=tab], [role=menuitem], [role=option], [role=switch]'

/** The places of the controls that a user can reach now: not those that a dialog closes off, or that are scrolled away. */
function reachableControls(toast: HTMLElement): Control[] {
  return [...document.querySelectorAll(controls)].flatMap((control) => {
    const box = control.getBoundingClientRect()
    if (toast.contains(control) || box.width < 2 || box.height < 2 || box.bottom < 0 || box.top > window.innerHeight) return []
    if (control.closest('[inert], [aria-hidden=true]')) return []
    const onTop = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2).find((each) => !toast.contains(each))
    const isOnTop = onTop && (control.contains(onTop) || onTop.contains(control) || onTop.closest('label')?.contains(control))
    // A list goes on above and below the toast, and its rows are wide. Covering a bit of a button is worse.
    const weight = control.matches('li a, [role=row] *') ? 0.1 : 1
    return isOnTop ? [{ left: box.left, top: box.top, width: box.width, height: box.height, weight }] : []
  })
}
