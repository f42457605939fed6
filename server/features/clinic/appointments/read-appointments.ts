import { type Kysely, sql } from 'kysely'
import type { Appointment } from '#contract/calendar/appointments.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { personName } from '#server/domain/people/person-name.ts'

/** All of a patient's appointments, the latest first. */
export async function readAppointments(db: Kysely<Schema>, idPatient: string): Promise<Appointment[]> {
  return await db
    .selectFrom('appointments')
    .innerJoin('stores', 'stores.store_id', 'appointments.store_id')
    .leftJoin('users', 'users.id_user', 'appointments.provider_id')
    .select([
      'appointments.id_appointment',
      'appointments.store_id',
      'stores.store_name',
      sql<string | null>`case when users.id_user is null then null else ${personName('users')} end`.as('provider_name'),
      'appointments.start_at',
      'appointments.duration_min',
      'appointments.type',
      'appointments.status',
      'appointments.reason',
    ])
    .where('appointments.id_patient', '=', idPatient)
    .orderBy('appointments.start_at', 'desc')
    .orderBy('appointments.id_appointment')
    .execute()
}
