import { createContext, type ComponentType, type ReactNode } from 'react'

export type MenuPlace = 'bottom end' | 'bottom start' | 'top start' | 'right end'
/** Which thing has the focus when the list appears. */
export type MenuStart = 'first' | 'last' | 'none'

export type MenuItemProps = {
  children: ReactNode
  icon?: ReactNode
  onSelect?: () => void
  disabled?: boolean
  tone?: 'plain' | 'bad'
}

/** What draws the things in a list, which comes with the list: a page shows the button of its menu, and most often no more. */
export const MenuParts = createContext<{ Item: ComponentType<MenuItemProps>; Separator: ComponentType } | null>(null)
