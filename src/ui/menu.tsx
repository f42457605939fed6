import {
  Menu as HeadlessMenu,
  MenuButton,
  MenuItem as HeadlessMenuItem,
  MenuItems,
  MenuSeparator as HeadlessSeparator,
} from '@headlessui/react'
import { Fragment, type ReactElement, type ReactNode } from 'react'

/** A button that opens a list of things to do. `button` is the element that is pressed: give it a name. */
export function Menu({
  button,
  children,
  place = 'bottom end',
  head,
}: {
  button: ReactElement
  children: ReactNode
  place?: 'bottom end' | 'bottom start' | 'top start' | 'right end'
  head?: ReactNode
}) {
  return (
    <HeadlessMenu>
      <MenuButton as={Fragment}>{button}</MenuButton>
      <MenuItems
        anchor={{ to: place, gap: 6, padding: 8 }}
        modal={false}
        transition
        className="z-40 max-w-80 min-w-56 rounded-lg border border-line bg-raised p-1 shadow-raised transition duration-(--quick) focus:outline-none data-closed:opacity-0"
      >
        {head && <div className="mb-1 border-b border-line px-3 py-2.5">{head}</div>}
        {children}
      </MenuItems>
    </HeadlessMenu>
  )
}

export function MenuItem({
  children,
  icon,
  onSelect,
  disabled = false,
  tone = 'plain',
}: {
  children: ReactNode
  icon?: ReactNode
  onSelect?: () => void
  disabled?: boolean
  tone?: 'plain' | 'bad'
}) {
  return (
    <HeadlessMenuItem
      as="button"
      type="button"
      disabled={disabled}
      onClick={onSelect}
      className={`relative flex min-h-12 w-full items-center gap-3 rounded-md px-3 text-left before:absolute before:inset-y-2.5 before:left-0 before:w-[3px] data-disabled:text-ink-3 data-focus:bg-hover data-focus:before:bg-brass [&_svg]:size-4.5 [&_svg]:shrink-0 ${
        tone === 'bad' ? 'text-bad' : '[&_svg]:text-ink-3'
      }`}
    >
      {icon}
      {children}
    </HeadlessMenuItem>
  )
}

export function MenuSeparator() {
  return <HeadlessSeparator className="my-1 h-px bg-line" />
}
