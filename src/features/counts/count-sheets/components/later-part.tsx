import { type ComponentType, lazy } from 'react'

/** Loads a part that nobody needs before the first scan. The count shows without it. */
export function laterPart<Props>(fetch: () => Promise<ComponentType<Props>>) {
  return lazy(() =>
    fetch().then(
      (List) => ({ default: List }),
      () => ({ default: NotFetched }),
    ),
  )
}

/** The count continues. Only this part could not be loaded. */
function NotFetched() {
  return <p className="p-4 text-ink-2">This part didn’t load. You can keep counting; reload the page to see it.</p>
}
