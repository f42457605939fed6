import type { ReactNode } from 'react'

/** Says what an empty place means, and what to do next. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      {icon && (
        <span className="flex size-16 items-center justify-center rounded-full border border-line bg-sunken text-ink-3 ring-4 ring-sunken ring-offset-1 ring-offset-line [&_svg]:size-7">
          {icon}
        </span>
      )}
      <p className="text-lg font-semibold">{title}</p>
      {children && <div className="max-w-prose text-ink-2">{children}</div>}
      {action && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
