import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import { useConnection, useSession } from '#src/sync/react/device-context.tsx'

export type Loaded<T> = {
  /** Undefined before the first answer; afterwards the last good one, also while it is loaded anew. */
  value: T | undefined
  /** Why the last try brought nothing. */
  failure: Failure | null
  reload: () => Promise<void>
}

/**
 * What only the server tells. `load` must keep its identity as long as it asks for the same. What could not be had because the server was not
 * reached is asked for again when it is, and what needed a sign-in after the sign-in.
 */
export function useLoaded<T>(load: () => Promise<Outcome<T>>): Loaded<T> {
  const [state, setState] = useState<{ of: typeof load; value: T | undefined; failure: Failure | null } | null>(null)
  const asked = useRef(0)
  const reload = useCallback(async () => {
    asked.current += 1
    const mine = asked.current
    const answer = await load()
    // An answer that a later question has overtaken is no answer.
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
