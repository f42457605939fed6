import { useEffect, useState } from 'react'
import type { PatientShelf, ShelfStatus } from '#src/sync/device/device.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import type { MatchSource } from './use-matches.ts'

/** The patients on this device; null until their code is here. Renders anew when something may be answered otherwise. */
export function usePatientShelf(): { shelf: PatientShelf | null; status: ShelfStatus; turn: number } {
  const device = useDevice()
  const [shelf, setShelf] = useState<PatientShelf | null>(null)
  const [state, setState] = useState<{ status: ShelfStatus; turn: number }>({ status: 'locked', turn: 0 })
  useEffect(() => {
    let gone = false
    let stop = () => {}
    // Where it cannot be had, the server is asked as if nobody were mirrored here.
    device.patients().then(
      (opened) => {
        if (gone) return
        setShelf(opened)
        setState(opened.state.getState())
        stop = opened.state.subscribe((now) => setState(now))
      },
      () => undefined,
    )
    return () => {
      gone = true
      stop()
    }
  }, [device])
  return { shelf, ...state }
}

/** This device's patients and connection, for a search. */
export function useMatchSource(): MatchSource {
  const isOffline = useConnection((connection) => connection.online) === false
  return { ...usePatientShelf(), isOffline }
}
