import {
  createContext,
  Suspense,
  use,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { type MenuItemProps, MenuParts, type MenuPlace, type MenuStart } from './menu-parts.ts'

const gap = 6
const margin = 8
const openItems = '[role=menuitem]:not(:disabled)'
const parts = { Item, Separator }

/** Closes the menu, and gives the focus back to its button. */
const MenuClose = createContext<() => void>(() => undefined)

export type MenuListProps = {
  open: boolean
  start: MenuStart
  onClose: () => void
  /** Wraps the button that opened it. */
  anchor: RefObject<HTMLSpanElement | null>
  labelledBy: string
  place: MenuPlace
  head?: ReactNode
  children: ReactNode
}

/** The list of a menu. */
export function MenuList(props: MenuListProps) {
  // Whole or not at all: the focus needs items that are there.
  return (
    props.open && (
      <Suspense>
        <OpenList {...props} />
      </Suspense>
    )
  )
}

function OpenList({ start, onClose, anchor, labelledBy, place, head, children }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null)
  const items = () => [...(list.current?.querySelectorAll<HTMLElement>(openItems) ?? [])]

  /** The button is a part of the menu: a press there closes the menu, and must not find it closed already. */
  const holds = (target: EventTarget | null) =>
    target instanceof Node && (anchor.current?.contains(target) || list.current?.contains(target)) === true

  function close() {
    onClose()
    const button = anchor.current?.firstElementChild
    if (button instanceof HTMLElement) button.focus({ preventScroll: true })
  }

  useLayoutEffect(() => {
    const shown = list.current
    if (!shown) return
    // In the top layer no frame around the menu cuts it off. Inside a dialog it stays a part of that dialog.
    shown.showPopover()
    const stand = () => {
      const box = anchor.current?.firstElementChild?.getBoundingClientRect()
      if (box) standAt(shown, box, place)
    }
    stand()
    const found = items()
    const target = start === 'first' ? found[0] : start === 'last' ? found.at(-1) : shown
    target?.focus({ preventScroll: true })
    window.addEventListener('resize', stand)
    window.addEventListener('scroll', stand, true)
    return () => {
      window.removeEventListener('resize', stand)
      window.removeEventListener('scroll', stand, true)
    }
  }, [start, place, anchor])

  const onPointerDown = useEffectEvent((event: PointerEvent) => {
    if (!holds(event.target)) onClose()
  })
  useEffect(() => {
    document.addEventListener('pointerdown', onPointerDown, true)
    return () => document.removeEventListener('pointerdown', onPointerDown, true)
  }, [])

  function onKeyDown(event: KeyboardEvent) {
    const found = items()
    const at = found.findIndex((item) => item === document.activeElement)
    const begins = (item: HTMLElement) => item.textContent.trim().toLowerCase().startsWith(event.key.toLowerCase())
    const targets: Record<string, HTMLElement | undefined> = {
      ArrowDown: found[Math.min(at + 1, found.length - 1)],
      ArrowUp: at === -1 ? found.at(-1) : found[Math.max(at - 1, 0)],
      Home: found[0],
      PageUp: found[0],
      End: found.at(-1),
      PageDown: found.at(-1),
    }
    if (event.key === 'Escape') close()
    else if (event.key in targets) targets[event.key]?.focus()
    else if (/^\S$/.test(event.key)) [...found.slice(at + 1), ...found].find(begins)?.focus()
    else return
    event.preventDefault()
    // The Escape is for the menu alone, not for a dialog around it.
    event.stopPropagation()
  }

  return (
    <div
      ref={list}
      popover="manual"
      role="menu"
      aria-labelledby={labelledBy}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        if (event.relatedTarget && !holds(event.relatedTarget)) onClose()
      }}
      className="inset-auto m-0 max-h-[calc(100dvh-1rem)] max-w-80 min-w-56 overflow-y-auto rounded-lg border border-line bg-raised p-1 text-ink shadow-raised transition-opacity duration-(--quick) focus:outline-none starting:opacity-0"
    >
      {head && <div className="mb-1 border-b border-line px-3 py-2.5">{head}</div>}
      <MenuClose value={close}>
        <MenuParts value={parts}>{children}</MenuParts>
      </MenuClose>
    </div>
  )
}

/** Places the list beside its button, within the edges of the screen. */
function standAt(list: HTMLElement, button: DOMRect, place: MenuPlace): void {
  const { offsetWidth: width, offsetHeight: height } = list
  const left = place.startsWith('right') ? button.right + gap : place === 'bottom end' ? button.right - width : button.left
  const tops = {
    'top start': button.top - gap - height,
    'right start': button.top,
    'right end': button.bottom - height,
    'bottom start': button.bottom + gap,
    'bottom end': button.bottom + gap,
  }
  const top = tops[place]
  list.style.left = `${Math.max(margin, Math.min(left, window.innerWidth - width - margin))}px`
  list.style.top = `${Math.max(margin, Math.min(top, window.innerHeight - height - margin))}px`
}

function Item({ children, icon, onSelect, disabled = false, tone = 'plain' }: MenuItemProps) {
  const close = use(MenuClose)
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      disabled={disabled}
      onClick={() => {
        // First, so that anything it opens later gives the focus back to the menu's button.
        close()
        onSelect?.()
      }}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
      className={`relative flex min-h-row w-full items-center gap-3 rounded-md px-3 text-left outline-none before:absolute before:inset-y-2.5 before:left-0 before:w-[3px] focus:bg-hover focus:before:bg-brass disabled:text-ink-3 [&_svg]:size-4.5 [&_svg]:shrink-0 ${
        tone === 'bad' ? 'text-bad' : '[&_svg]:text-ink-3'
      }`}
    >
      {icon}
      {children}
    </button>
  )
}

function Separator() {
  return <hr className="my-1 h-px border-0 bg-line" />
}
