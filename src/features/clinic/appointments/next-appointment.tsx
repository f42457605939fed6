import { Fact } from '#src/ui/facts.tsx'
import { formatDateTime } from '#src/ui/format.ts'
import { useMayRead, useNextAppointment, useTimeZoneOf } from './queries.ts'

/** The patient's next appointment, for the head of their page. Nothing shows until the server has answered. */
export function NextAppointment({ idPatient }: { idPatient: string }) {
  return useMayRead() ? <Told idPatient={idPatient} /> : null
}

function Told({ idPatient }: { idPatient: string }) {
  const next = useNextAppointment(idPatient)
  const timeZoneOf = useTimeZoneOf()
  if (next === undefined) return null
  return <Fact term="Next appointment">{next ? `${formatDateTime(next.start_at, timeZoneOf(next.store_id))}, ${next.type}` : 'None'}</Fact>
}
