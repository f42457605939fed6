import { type ComponentType, lazy } from 'react'

/** What nobody needs before they have counted: the count is on the screen without it. */
export function laterPart<Props>(fetch: () => Promise<ComponentType<Props>>) {
  return lazy(() =>
    fetch().then(
      (List) => ({ default: List }),
      () => ({ default: NotFetched }),
    ),
  )
}

/** The count goes on: what could not be loaded is one of its parts. */
function NotFetched() {
  return <p className="p-4 text-ink-2">This part didn’t load. You can keep counting; reload the page to see it.</p>
}
