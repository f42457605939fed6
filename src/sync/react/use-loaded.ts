import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import { useConnection, useSession } from '#src/sync/react/device-context.tsx'

export type Loaded<T> = {
  /** Undefined before the first answer; afterwards the last good one, also during a reload. */
  value: T | undefined
  /** Why the last try failed. */
  failure: Failure | null
  reload: () => Promise<void>
}

/**
 * Loads data that only the server has. `load` must keep its identity while the request is the same. A load that did not
 * reach the server is repeated when the server is back. A load that needed a sign-in is repeated after the sign-in.
 */
export function useLoaded<T>(load: () => Promise<Outcome<T>>): Loaded<T> {
  const [state, setState] = useState<{ of: typeof load; value: T | undefined; failure: Failure | null } | null>(null)
  const asked = useRef(0)
  const reload = useCallback(async () => {
    asked.current += 1
    const mine = asked.current
    const answer = await load()
    // Ignore an answer when a later request was made.
    if (asked.current !== mine) return
    setState((before) => {
      if (answer.ok) return { of: load, value: answer.value, failure: null }
      return { of: load, value: before?.of === load ? before.value : undefined, failure: answer.failure }
    })
  }, [load])
  useEffect(() => {
    void reload()
  }, [reload])
  const current = state?.of === load ? state : null
  const isCut = current?.failure?.kind === 'unreachable'
  const isOnline = useConnection(({ online }) => online === true)
  const wasOnline = useRef(isOnline)
  useEffect(() => {
    const isBack = isOnline && !wasOnline.current
    wasOnline.current = isOnline
    if (isBack && isCut) void reload()
  }, [isOnline, isCut, reload])
  const isSignedOut = current?.failure?.kind === 'signed-out'
  const isSignedIn = useSession(({ status }) => status === 1)
  const wasSignedIn = useRef(isSignedIn)
  useEffect(() => {
    const isBack = isSignedIn && !wasSignedIn.current
    wasSignedIn.current = isSignedIn
    if (isBack && isSignedOut) void reload()
  }, [isSignedIn, isSignedOut, reload])
  return { value: current?.value, failure: current?.failure ?? null, reload }
}
