import { useCallback } from 'react'
import { appointmentEndpoints } from '#contract/calendar/appointments.ts'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { type Loaded, useLoaded } from '#src/sync/react/use-loaded.ts'

export type AppointmentList = ResponseOf<typeof appointmentEndpoints.listAppointments>

const timeoutMs = 15_000

/** A page of a patient’s appointments, and the next one. */
export function useAppointments(idPatient: string, page = 1, reason = 'appointments tab'): Loaded<AppointmentList> {
  const device = useDevice()
  const load = useCallback(
    () =>
      device.call(appointmentEndpoints.listAppointments, { query: { id_patient: idPatient, page: String(page), reason } }, { timeoutMs }),
    [device, idPatient, page, reason],
  )
  return useLoaded(load)
}

export function useMayRead(): boolean {
  return useSession((session) => session.home?.permissions.includes('appointment.read')) === true
}

/** The clock on the wall of a store; undefined for one that is not this person’s. */
export function useTimeZoneOf(): (storeId: number) => string | undefined {
  const locations = useSession((session) => session.home?.locations)
  return (storeId) => locations?.find((store) => store.store_id === storeId)?.time_zone
}
