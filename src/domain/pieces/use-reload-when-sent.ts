import { useEffect, useEffectEvent, useRef } from 'react'

/** Reloads when something that waited here has reached the server, which then knows more than the page shows. */
export function useReloadWhenSent(waiting: readonly { refusal: unknown }[] | undefined, reload: () => unknown): void {
  const unsent = (waiting ?? []).filter(({ refusal }) => refusal === null).length
  const before = useRef(0)
  const reloadNow = useEffectEvent(() => void reload())
  useEffect(() => {
    if (unsent < before.current) reloadNow()
    before.current = unsent
  }, [unsent])
}
