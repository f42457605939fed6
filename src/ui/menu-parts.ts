import { createContext, type ComponentType, type ReactNode } from 'react'

export type MenuPlace = 'bottom end' | 'bottom start' | 'top start' | 'right start' | 'right end'
/** The item with the focus when the list appears. */
export type MenuStart = 'first' | 'last' | 'none'

export type MenuItemProps = {
  children: ReactNode
  icon?: ReactNode
  onSelect?: () => void
  disabled?: boolean
  tone?: 'plain' | 'bad'
}

/**
 * The components for the items of a list. They load with the list, because most pages only show the button of their
 * menu.
 */
export const MenuParts = createContext<{ Item: ComponentType<MenuItemProps>; Separator: ComponentType } | null>(null)
