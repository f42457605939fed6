import { useEffect, useEffectEvent, useRef } from 'react'

/** Reloads when waiting work has reached the server, whose data is then newer than the page. */
export function useReloadWhenSent(waiting: readonly { refusal: unknown }[] | undefined, reload: () => unknown): void {
  const unsent = (waiting ?? []).filter(({ refusal }) => refusal === null).length
  const before = useRef(0)
  const reloadNow = useEffectEvent(() => void reload())
  useEffect(() => {
    if (unsent < before.current) reloadNow()
    before.current = unsent
  }, [unsent])
}
