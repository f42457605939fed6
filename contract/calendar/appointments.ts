import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { pageOfSize, pageQuery } from '#contract/core/page.ts'
import { instant, rowId, text, uuid } from '#contract/core/primitives.ts'

/** How many appointments the server puts into one page. */
export const appointmentPageSize = 50

/** From booking to coding, and the ways out of it. */
export const appointmentStatuses = [
  'booked',
  'reminded',
  'confirmed',
  'arrived',
  'arrived_late',
  'roomed',
  'with_doctor',
  'optical',
  'checked_out',
  'coded',
  'cancelled',
  'cancelled_late',
  'no_show',
  'left',
  'rescheduled',
] as const
export type AppointmentStatus = (typeof appointmentStatuses)[number]

/** Those who are still expected: what lies ahead of a patient is one of these. */
export const expectedStatuses: readonly AppointmentStatus[] = ['booked', 'reminded', 'confirmed']

const appointment = v.object({
  id_appointment: uuid,
  store_id: rowId,
  store_name: v.string(),
  provider_name: v.nullable(v.string()),
  start_at: instant,
  duration_min: v.number(),
  /** What it is for, in the words of the appointment book. */
  type: v.string(),
  status: v.picklist(appointmentStatuses),
  reason: v.string(),
})
export type Appointment = v.InferOutput<typeof appointment>

export const listAppointments = endpoint({
  method: 'GET',
  path: '/api/patient/appointments',
  summary: 'A patient’s appointments, the latest first, fifty to a page, and the next one; that they were read is kept',
  access: 'appointment.read',
  query: v.object({ id_patient: uuid, page: pageQuery(), reason: v.optional(text(200)) }),
  response: pageOfSize(
    appointmentPageSize,
    { appointments: v.array(appointment) },
    {
      page: v.number(),
      /** The first that lies ahead and is still expected. */
      next: v.nullable(appointment),
    },
  ),
  refuses: ['patient-unknown', 'patient-of-other-store'],
})

export const appointmentEndpoints = { listAppointments }
