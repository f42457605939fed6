import type { ReactElement, ReactNode } from 'react'
import { formatCount } from '#src/ui/format.ts'
import { Tooltip } from '#src/ui/tooltip.tsx'

/** A line of the sidebar. With icons only, its name is a tooltip. */
export function Entry({
  expanded,
  title,
  children,
}: {
  expanded: boolean
  title: string
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>
}) {
  return (
    <li>
      <Tooltip text={title} side="right" delayMs={0} disabled={expanded}>
        {children}
      </Tooltip>
    </li>
  )
}

export function EntryText({ expanded, children }: { expanded: boolean; children: ReactNode }) {
  return <span className={expanded ? 'truncate' : 'sr-only'}>{children}</span>
}

/** The count beside an entry. With icons only, it is a dot. */
export function Waiting({ count, expanded }: { count: number; expanded: boolean }) {
  if (count === 0) return null
  return (
    <span
      className={
        expanded
          ? 'ml-auto min-w-6 rounded-full bg-bad-solid px-1.5 text-center text-xs leading-6 font-semibold text-bad-solid-ink'
          : 'absolute top-2 right-2 size-2.5 rounded-full bg-bad-solid'
      }
    >
      <span className={expanded ? '' : 'sr-only'}>{formatCount(count)}</span>
      <span className="sr-only"> new {count === 1 ? 'alert' : 'alerts'}</span>
    </span>
  )
}

export function entryClasses(current: boolean): string {
  return `relative flex min-h-row w-full items-center gap-3 px-3.5 text-left transition-colors focus-visible:-outline-offset-2 ${
    current
      ? 'bg-accent-soft font-semibold text-ink before:absolute before:inset-y-2.5 before:left-0 before:w-[3px] before:bg-brass'
      : 'text-ink-2 hover:bg-hover hover:text-ink'
  }`
}
