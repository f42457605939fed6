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
