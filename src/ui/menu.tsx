import {
  cloneElement,
  lazy,
  use,
  useId,
  useRef,
  useState,
  type ButtonHTMLAttributes,
  type ComponentType,
  type ReactElement,
  type ReactNode,
} from 'react'
import { fetchedDialog } from './fetched-dialog.tsx'
import { type MenuItemProps, MenuParts, type MenuPlace, type MenuStart } from './menu-parts.ts'

const MenuList = fetchedDialog(async () => (await import('./menu-list.tsx')).MenuList)

/** A button that opens a list of actions. `button` is the element that is pressed: give it a name. */
export function Menu({
  button,
  children,
  place = 'bottom end',
  head,
}: {
  button: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>
  children: ReactNode
  place?: MenuPlace
  head?: ReactNode
}) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const [start, setStart] = useState<MenuStart | null>(null)
  return (
    <>
      <span ref={anchor} className="contents">
        {cloneElement(button, {
          id,
          'aria-haspopup': 'menu',
          'aria-expanded': start !== null,
          // Enter and Space press it too. Then no pointer is on an item.
          onClick: (event) => setStart(start !== null ? null : event.detail === 0 ? 'first' : 'none'),
          onKeyDown: (event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
            event.preventDefault()
            setStart(event.key === 'ArrowDown' ? 'first' : 'last')
          },
        })}
      </span>
      <MenuList
        open={start !== null}
        start={start ?? 'none'}
        onClose={() => setStart(null)}
        anchor={anchor}
        labelledBy={id}
        place={place}
        head={head}
      >
        {children}
      </MenuList>
    </>
  )
}

export function MenuItem(props: MenuItemProps) {
  const parts = use(MenuParts)
  return parts && <parts.Item {...props} />
}

export function MenuSeparator() {
  const parts = use(MenuParts)
  return parts && <parts.Separator />
}

/** Items of a menu that users seldom open: fetched with its list. */
export function fetchedItems<Props extends object>(fetch: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return lazy(() =>
    fetch().then(
      (Items) => ({ default: Items }),
      () => ({ default: NotFetched }),
    ),
  )
}

function NotFetched() {
  return <p className="p-3 text-ink-2">This didn’t load. Reload the page.</p>
}
