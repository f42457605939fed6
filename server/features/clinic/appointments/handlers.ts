import { appointmentPageSize, expectedStatuses } from '#contract/calendar/appointments.ts'
import { readAppointments } from '#server/features/clinic/appointments/read-appointments.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { tabletOf } from '#server/platform/http/scope.ts'
import { auditView } from '#server/domain/patients/audit.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'

/** A patient's appointments. */
export const appointmentHandlers: HandlersOf<'listAppointments'> = {
  async listAppointments({ services, scope, query }) {
    const { pool } = services.db
    const { id } = await findPatient(pool, scope, query.id_patient)
    const at = new Date(services.clock.now()).toISOString()
    await auditView(pool, {
      id_patient: id,
      at,
      by: scope,
      store_id: scope.store_id,
      device_id: tabletOf(scope),
      action: 'appointment.view',
      detail: 'appointments',
      reason: query.reason,
    })
    const appointments = await readAppointments(pool, id)
    const ahead = appointments.filter(({ start_at, status }) => start_at >= at && expectedStatuses.includes(status))
    const from = (query.page - 1) * appointmentPageSize
    return {
      appointments: appointments.slice(from, from + appointmentPageSize),
      total: appointments.length,
      page: query.page,
      next: ahead.at(-1) ?? null,
    }
  },
}
