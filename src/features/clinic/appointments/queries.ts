import { type Appointment, appointmentEndpoints } from '#contract/calendar/appointments.ts'
import { pageRequest } from '#contract/core/page.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { useAnswer } from '#src/sync/react/use-kept.ts'
import { useMore } from '#src/sync/react/use-more.ts'

const timeoutMs = 15_000
const rowKey = ({ id_appointment }: Appointment) => id_appointment

/** Returns a patient's appointments, the latest first. */
export function useAppointments(idPatient: string) {
  const query = { id_patient: idPatient, reason: 'appointments tab' }
  return useMore(appointmentEndpoints.listAppointments, query, 'appointments', { rowKey, timeoutMs })
}

/** Returns a patient's next appointment, or undefined until the server has answered. */
export function useNextAppointment(idPatient: string): Appointment | null | undefined {
  const request = pageRequest({ id_patient: idPatient, reason: 'patient page' }, 1)
  return useAnswer(appointmentEndpoints.listAppointments, request, { timeoutMs }).value?.next
}

export function useMayRead(): boolean {
  return useSession((session) => session.home?.permissions.includes('appointment.read')) === true
}

/** Returns a store's time zone, or undefined for a store that is not this user's. */
export function useTimeZoneOf(): (storeId: number) => string | undefined {
  const locations = useSession((session) => session.home?.locations)
  return (storeId) => locations?.find((store) => store.store_id === storeId)?.time_zone
}
