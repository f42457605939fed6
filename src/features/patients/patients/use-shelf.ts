import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
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

/** What answers before the app has come, and until the device's own patients do; null where nothing did. */
export const firstSource = createStore<{ source: MatchSource | null }>(() => ({ source: null }))

/** This device's patients and connection, for a search. */
export function useMatchSource(): MatchSource {
  const isOffline = useConnection((connection) => connection.online) === false
  const own = usePatientShelf()
  const first = useStore(firstSource, ({ source }) => source)
  return { ...(first && own.status === 'locked' ? first : own), isOffline }
}
