import type { Appointment, AppointmentStatus } from '#contract/calendar/appointments.ts'
import type { Tone } from '#src/ui/tone.ts'

export const statusLooks: Record<AppointmentStatus, { words: string; tone: Tone }> = {
  booked: { words: 'Booked', tone: 'info' },
  reminded: { words: 'Reminder sent', tone: 'info' },
  confirmed: { words: 'Confirmed', tone: 'good' },
  arrived: { words: 'Arrived', tone: 'good' },
  arrived_late: { words: 'Arrived late', tone: 'warn' },
  roomed: { words: 'In the exam room', tone: 'good' },
  with_doctor: { words: 'With the doctor', tone: 'good' },
  optical: { words: 'In optical', tone: 'good' },
  checked_out: { words: 'Checked out', tone: 'neutral' },
  coded: { words: 'Completed and coded', tone: 'neutral' },
  cancelled: { words: 'Canceled', tone: 'warn' },
  cancelled_late: { words: 'Canceled within 24 hours', tone: 'warn' },
  no_show: { words: 'No-show', tone: 'bad' },
  left: { words: 'Left before being seen', tone: 'bad' },
  rescheduled: { words: 'Rescheduled', tone: 'neutral' },
}

/** Returns the provider, the store and the duration, for the line below the day. */
export function placeWords({ provider_name, store_name, duration_min }: Appointment): string {
  return [provider_name, store_name, `${duration_min} minutes`].filter(Boolean).join(' · ')
}
