import { useEffect, useEffectEvent, useState } from 'react'
import type { HomeInfo } from '#contract/people/session.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { LockScreen, type Why } from './lock-screen.tsx'
import { ResumeBar } from './resume-bar.tsx'
import { SessionEnded } from './session-ended.tsx'
import { mustCover } from '../model/must-cover.ts'
import { watchIdling } from '../model/watch-idling.ts'

/** Pages without patient data. A PIN alone opens these. */
const openToPin = /^\/((inventory|time-clock|sync|settings)(\/|$)|$)/
/** An open count sheet: a hand that holds a scanner taps any button that appears. */
const countPath = /^\/inventory\/count-sheets\/[^/]+/

export type LockLayerProps = {
  pathname: string
  leaveTo: (path: string) => Promise<void>
  /** Loads a page in a new document. */
  reload: (path: string) => void
}

/** Locks an idle tablet and asks its user to sign in: in front of everything, or above work after its session ended. */
export function LockLayer({ pathname, leaveTo, reload }: LockLayerProps) {
  const device = useDevice()
  const { status, locked, offline, reduced, home, ended, asks } = useSession((session) => session)
  const online = useConnection((connection) => connection.online)
  const isTakenOver = useTakenOver(reload)
  const isClosed = status === 1 && !locked && reduced && !openToPin.test(pathname)

  useEffect(() => {
    if ((status === 0 && ended === null) || locked) return
    return watchIdling(() => void device.session.lock(), { target: window, storage: localStorage, now: () => Date.now() })
  }, [device, status, ended, locked])

  const goOn = useEffectEvent(() => void leaveTo('/inventory/count-sheets'))
  useEffect(() => {
    if (isClosed) goOn()
  }, [isClosed])

  const onSomeoneElse = () => void device.session.signOut().then(() => leaveTo('/login'))
  const lock = (user: HomeInfo, why: Why) => <LockScreen home={user} why={why} pathname={pathname} onSomeoneElse={onSomeoneElse} />
  if (home && isTakenOver) return lock(home, 'switching')
  if (isClosed) return <div className="fixed inset-0 z-50 bg-paper" />
  if (home && (locked ? status === 1 || ended : ended && mustCover(ended, pathname))) {
    return lock(home, ended === null ? 'locked' : locked ? 'locked-and-ended' : 'ended')
  }
  if (home && ended) return <SessionEnded home={home} isSaving={ended === 'scans'} asks={asks} onSomeoneElse={onSomeoneElse} />
  const mayResume = status === 1 && offline !== null && online === true && !countPath.test(pathname)
  return mayResume && home && <ResumeBar home={home} />
}

/**
 * Returns true when another user has signed in over this page. It holds the former user's records and typed text, so
 * the page reloads: at the page that the user had left on this tablet, or at home.
 */
function useTakenOver(reload: (path: string) => void): boolean {
  const device = useDevice()
  const present = useSession((session) => session.home?.id_user ?? null)
  const [owner, setOwner] = useState<number | null>(null)
  if (owner !== present && (owner === null || present === null)) setOwner(present)
  const isTakenOver = owner !== null && present !== null && owner !== present
  const load = useEffectEvent(async () => reload((await device.session.takeLeftPage().catch(() => null)) ?? '/'))
  useEffect(() => {
    if (isTakenOver) void load()
  }, [isTakenOver])
  return isTakenOver
}
