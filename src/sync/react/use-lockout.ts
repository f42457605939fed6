import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { lockoutOf, type GuardedForm, type Lockout } from '#src/sync/session/lockout.ts'

/** The lockout of a form and its remaining seconds, counted down; 0 when the form is open. */
export function useLockout(form: GuardedForm): { lockout: Lockout; secondsLeft: number } {
  const lockout = lockoutOf(form)
  const blockedUntil = useStore(lockout.state, (state) => state.blockedUntil)
  const [secondsLeft, setSecondsLeft] = useState(lockout.secondsLeft)

  useEffect(() => {
    const tick = () => {
      setSecondsLeft(lockout.secondsLeft())
      if (lockout.secondsLeft() === 0) clearInterval(timer)
    }
    const timer = setInterval(tick, 250)
    tick()
    return () => clearInterval(timer)
  }, [lockout, blockedUntil])

  return { lockout, secondsLeft }
}
