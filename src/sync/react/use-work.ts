import { useLayoutEffect } from 'react'
import { useDevice } from '#src/sync/react/device-context.tsx'
import type { WorkKind } from '#src/sync/session/work-in-hand.ts'

/** Marks this part of the page as work that stays when the session ends; null when it is none. */
export function useWork(kind: WorkKind | null): void {
  const { session } = useDevice()
  useLayoutEffect(() => (kind === null ? undefined : session.holdWork(kind)), [session, kind])
}
