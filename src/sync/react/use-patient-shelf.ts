import { useEffect, useState } from 'react'
import type { PatientShelf, ShelfStatus } from '#src/sync/device/device.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'

/**
 * Returns the patients on this device, or null until their code is loaded. Renders again when they may have changed.
 */
export function usePatientShelf(): { shelf: PatientShelf | null; status: ShelfStatus; turn: number } {
  const device = useDevice()
  const [shelf, setShelf] = useState<PatientShelf | null>(null)
  const [state, setState] = useState<{ status: ShelfStatus; turn: number }>({ status: 'locked', turn: 0 })
  useEffect(() => {
    let gone = false
    let stop = () => {}
    // If the code does not load, searches ask the server, as on a device without patients.
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
