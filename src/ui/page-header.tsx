import { useEffect, type ReactNode } from 'react'

/** The head of a page: its name (also the window's title), a line about it, and its main actions at the right. */
export function PageHeader({
  title,
  windowTitle,
  caption,
  children,
  actions,
  back,
}: {
  title: ReactNode
  /** Needed when `title` is more than text. */
  windowTitle?: string
  /** A short word above the title: where in the app this is. */
  caption?: ReactNode
  /** A line below the title. */
  children?: ReactNode
  actions?: ReactNode
  back?: ReactNode
}) {
  const text = windowTitle ?? (typeof title === 'string' ? title : null)
  useEffect(() => {
    if (text) document.title = `${text} · Lorgnette`
  }, [text])
  return (
    <header className="mb-5">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pb-3">
        {/* The text wraps before the actions do: on a phone a row for one button would cost the page a row. */}
        <div className="flex min-w-0 flex-1 basis-52 items-end gap-2">
          {back}
          <div className="min-w-0">
            {caption && <p className="engraved">{caption}</p>}
            <h1 className="text-2xl font-semibold">{title}</h1>
            {children && <div className="mt-0.5 text-ink-2">{children}</div>}
          </div>
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      <div aria-hidden="true" className="h-1.5 graduated border-t border-line opacity-70" />
    </header>
  )
}
