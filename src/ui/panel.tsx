import type { ReactNode } from 'react'

/** A part of a page in a frame, with a title and a link or button beside it. */
export function Panel({ title, icon, action, children }: { title: string; icon: ReactNode; action?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-surface">
      <header className="flex min-h-target items-center gap-2.5 border-b border-line pr-1 pl-4 text-ink-3">
        {icon}
        <h2 className="flex-1 font-semibold text-ink">{title}</h2>
        {action}
      </header>
      {children}
    </section>
  )
}
