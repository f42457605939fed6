import { cloneElement, useEffect, useId, useRef, useState, type ReactElement } from 'react'
import { createPortal } from 'react-dom'

export const tooltipDelays = { openMs: 700, skipMs: 300 } as const

// A user who has just read one tooltip and moves on does not wait again.
let lastClosedAt = Number.NEGATIVE_INFINITY

export type TooltipProps = {
  text: string
  /** One focusable element. */
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>
  side?: 'top' | 'right' | 'bottom'
  delayMs?: number
  disabled?: boolean
}

/** Words for an icon, on hover and on focus, after 700 ms of rest (at once right after another tooltip). */
export function Tooltip({ text, children, side = 'bottom', delayMs = tooltipDelays.openMs, disabled = false }: TooltipProps) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [place, setPlace] = useState<{ left: number; top: number } | null>(null)

  function show(delay: number) {
    clearTimeout(timer.current)
    const open = () => {
      const box = anchor.current?.firstElementChild?.getBoundingClientRect()
      if (!box) return
      if (side === 'right') setPlace({ left: box.right + 8, top: box.top + box.height / 2 })
      else setPlace({ left: box.left + box.width / 2, top: side === 'top' ? box.top - 8 : box.bottom + 8 })
    }
    if (delay === 0) open()
    else timer.current = setTimeout(open, delay)
  }

  function hide() {
    clearTimeout(timer.current)
    if (place) lastClosedAt = performance.now()
    setPlace(null)
  }

  useEffect(() => () => clearTimeout(timer.current), [])

  useEffect(() => {
    if (!place) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setPlace(null)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [place])

  if (disabled) return children
  const shift = side === 'right' ? '-translate-y-1/2' : side === 'top' ? '-translate-x-1/2 -translate-y-full' : '-translate-x-1/2'
  return (
    <span
      ref={anchor}
      className="contents"
      onPointerEnter={(event) => {
        // A finger does not rest on things: its tap is the press itself.
        if (event.pointerType === 'touch') return
        show(performance.now() - lastClosedAt < tooltipDelays.skipMs ? 0 : delayMs)
      }}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => {
        if (event.target.matches(':focus-visible')) show(0)
      }}
      onBlur={hide}
    >
      {cloneElement(children, place ? { 'aria-describedby': id } : {})}
      {place &&
        createPortal(
          <span
            id={id}
            role="tooltip"
            style={place}
            className={`pointer-events-none fixed z-50 max-w-64 rounded-md bg-ink px-2.5 py-1.5 text-xs font-medium text-paper shadow-raised ${shift}`}
          >
            {text}
          </span>,
          document.body,
        )}
    </span>
  )
}
