import type { ReactNode, Ref } from 'react'

export type ShellFrameProps = {
  /** Whether the sidebar is expanded. Null on a small screen, which has no sidebar beside the page. */
  expanded: boolean | null
  sidebar?: ReactNode
  header?: ReactNode
  content?: Ref<HTMLElement>
  children: ReactNode
}

/** Lays out the sidebar, the header and the page. */
export function ShellFrame({ expanded, sidebar, header, content, children }: ShellFrameProps) {
  return (
    <div className="flex min-h-[calc(100dvh-var(--notice-height))] bg-paper">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-accent px-4 py-3 font-semibold text-accent-ink focus:translate-y-0"
      >
        Skip to content
      </a>
      {expanded === null ? (
        sidebar
      ) : (
        <aside
          aria-label="Sidebar"
          data-state={expanded ? 'expanded' : 'collapsed'}
          className={`sticky top-(--notice-height) h-[calc(100dvh-var(--notice-height))] shrink-0 bg-surface after:pointer-events-none after:absolute after:inset-y-0 after:right-0 after:w-px after:bg-line transition-[width] duration-(--usual) ease-swift ${
            expanded ? 'w-(--sidebar-width)' : 'w-(--sidebar-width-icons)'
          }`}
        >
          {sidebar}
        </aside>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-(--notice-height) z-20 flex h-(--header-height) shrink-0 items-center gap-1 border-b border-line bg-surface px-1 sm:px-2">
          {header}
        </header>
        <main ref={content} id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col px-3 py-4 outline-none sm:px-5 lg:px-7">
          {children}
        </main>
      </div>
    </div>
  )
}
