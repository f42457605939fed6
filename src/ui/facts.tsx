import type { ReactNode } from 'react'

/** Named facts about one thing. Empty ones are left out. */
export function Facts({ facts }: { facts: readonly [name: string, value: ReactNode][] }) {
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-2 lg:grid-cols-3">
      {facts.map(
        ([name, value]) =>
          Boolean(value) && (
            <div key={name}>
              <dt className="text-sm text-ink-2">{name}</dt>
              <dd className="figures font-medium break-words">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** Named facts below each other, the names in a column of their own. Empty ones are left out. */
export function FactList({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[minmax(8rem,auto)_1fr] content-start items-baseline gap-x-4 gap-y-1.5">
      {facts.map(
        ([name, value]) =>
          Boolean(value) && (
            <div key={name} className="contents">
              <dt className="text-ink-2">{name}</dt>
              <dd className="min-w-0 wrap-anywhere whitespace-pre-line">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** A line of short facts at the head of a page. It scrolls sideways where it has no room. Its children are `Fact`. */
export function FactLine({ children }: { children: ReactNode }) {
  return <dl className="flex gap-x-5 overflow-x-auto hints-more text-sm whitespace-nowrap">{children}</dl>
}

/** `phoneOnly`: a wider screen shows it elsewhere. */
export function Fact({ term, phoneOnly = false, children }: { term: string; phoneOnly?: boolean; children: ReactNode }) {
  return (
    <div className={`flex min-h-target items-center gap-1.5 ${phoneOnly ? 'md:hidden' : ''}`}>
      <dt className="text-ink-2">{term}</dt>
      <dd className="figures font-medium text-ink">{children}</dd>
    </div>
  )
}
