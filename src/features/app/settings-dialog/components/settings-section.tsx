import { Info } from 'lucide-react'
import type { ReactNode } from 'react'

/** The head of one tab and its fields. `kept` is false when no call saves them yet. Then the tab says so. */
export function SettingsSection({
  title,
  about,
  kept = false,
  children,
}: {
  title: string
  about: string
  kept?: boolean
  children: ReactNode
}) {
  return (
    <section className="flex flex-col gap-5">
      <div>
        <h2 className="text-lg font-semibold">{title}</h2>
        <p className="text-sm text-ink-2">{about}</p>
        <div aria-hidden="true" className="mt-3 h-1.5 graduated border-t border-line" />
      </div>
      {children}
      {!kept && (
        <p className="flex items-start gap-2 text-sm text-ink-2">
          <Info size={16} aria-hidden className="mt-0.5 shrink-0" />
          These settings aren’t saved yet.
        </p>
      )}
    </section>
  )
}
