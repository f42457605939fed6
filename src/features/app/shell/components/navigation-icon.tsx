import { CircleDot } from 'lucide-react'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { navigationIcons } from './navigation-icons.ts'

/** Null until the icons are fetched. No page waits for them. */
const iconStore = createStore<{ icons: typeof navigationIcons | null }>(() => ({ icons: null }))

let fetching: Promise<void> | null = null

async function fetchIcons(): Promise<void> {
  try {
    iconStore.setState({ icons: (await import('./navigation-icons.ts')).navigationIcons })
  } catch {
    // Every entry then shows a dot, and a notice says that a part is missing. The next entry tries again.
    iconStore.setState({ icons: {} })
    fetching = null
  }
}

/** The icon of a navigation entry, or a dot for a key that this version does not know. */
export function NavigationIcon({ name }: { name: string }) {
  const icons = useStore(iconStore, (state) => state.icons)
  useEffect(() => {
    fetching ??= fetchIcons()
  }, [])
  if (icons === null) return <span className="size-5 shrink-0" />
  const Icon = icons[name] ?? CircleDot
  return <Icon size={20} aria-hidden className="shrink-0" />
}
