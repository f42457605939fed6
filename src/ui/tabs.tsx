import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { formatCount } from '#src/ui/format.ts'

export type TabDefinition<K extends string> = {
  key: K
  label: string
  /** A number beside the label, as in `To find (37)`. */
  count?: number | undefined
  icon?: ReactNode
}

export type TabsProps<K extends string> = {
  label: string
  tabs: readonly TabDefinition<K>[]
  selected: K
  onSelect: (key: K) => void
  /** The content of the selected tab. */
  children: ReactNode
  /** `side` puts the tabs left of their content when there is room. */
  orientation?: 'top' | 'side'
  /** Lets the panel fill the remaining height, for lists that scroll inside it. */
  fill?: boolean
}

/** Tabs with arrow keys, Home and End. */
export function Tabs<K extends string>({ label, tabs, selected, onSelect, children, orientation = 'top', fill = false }: TabsProps<K>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.findIndex((tab) => tab.key === selected)
    const last = tabs.length - 1
    const next =
      event.key === 'ArrowRight' || event.key === 'ArrowDown'
        ? (at + 1) % tabs.length
        : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
          ? (at + last) % tabs.length
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? last
              : null
    const tab = next === null ? undefined : tabs[next]
    if (!tab) return
    event.preventDefault()
    onSelect(tab.key)
    list.current?.querySelector<HTMLButtonElement>(`[data-tab="${tab.key}"]`)?.focus()
  }

  const side = orientation === 'side'
  // A narrow place has no room for words and numbers side by side: the number goes under its word.
  const stacks = !side && tabs.some((tab) => tab.count !== undefined)
  return (
    <div
      className={`@container/tabs flex min-h-0 min-w-0 ${fill ? 'flex-1' : ''} ${side ? 'flex-col gap-4 md:flex-row md:gap-8' : 'flex-col'}`}
    >
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        aria-orientation={side ? 'vertical' : 'horizontal'}
        onKeyDown={onKeyDown}
        tabIndex={-1}
        className={`flex shrink-0 gap-1 overflow-x-auto ${side ? 'max-md:border-b max-md:border-line md:w-44 md:flex-col' : 'border-b border-line'} ${stacks ? '@max-[36rem]/tabs:gap-0' : ''}`}
      >
        {tabs.map((tab) => {
          const current = tab.key === selected
          return (
            <button
              key={tab.key}
              id={`${id}-${tab.key}`}
              data-tab={tab.key}
              type="button"
              role="tab"
              aria-selected={current}
              aria-controls={`${id}-panel`}
              tabIndex={current ? 0 : -1}
              onClick={() => onSelect(tab.key)}
              className={`relative flex min-h-row shrink-0 items-center gap-2 px-3 whitespace-nowrap transition-colors focus-visible:-outline-offset-2 ${
                side ? 'md:rounded-md md:aria-selected:bg-hover' : ''
              } ${
                stacks
                  ? '@max-[36rem]/tabs:flex-1 @max-[36rem]/tabs:flex-col @max-[36rem]/tabs:justify-center @max-[36rem]/tabs:gap-0 @max-[36rem]/tabs:px-1 @max-[36rem]/tabs:text-sm'
                  : ''
              } ${current ? 'font-semibold text-ink' : 'text-ink-2 hover:text-ink'}`}
            >
              {tab.icon}
              {tab.label}
              {tab.count !== undefined && (
                <span className={`figures text-sm ${current ? 'text-accent-text' : 'text-ink-3'}`}>({formatCount(tab.count)})</span>
              )}
              {current && (
                <span
                  aria-hidden="true"
                  className={`absolute bg-brass ${side ? 'inset-x-2 bottom-0 h-0.5 md:inset-x-auto md:inset-y-3 md:left-0 md:h-auto md:w-0.5' : 'inset-x-2 bottom-0 h-0.5'}`}
                />
              )}
            </button>
          )
        })}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${selected}`}
        tabIndex={0}
        className={`min-w-0 flex-1 focus-visible:-outline-offset-2 ${fill ? 'flex min-h-0 flex-col' : ''}`}
      >
        {children}
      </div>
    </div>
  )
}
