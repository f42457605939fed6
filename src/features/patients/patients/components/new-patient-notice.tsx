import { Link } from '@tanstack/react-router'
import { useSession } from '#src/sync/react/device-context.tsx'
import { buttonClasses } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'

/** The next steps for a patient who has nothing on file except the record. */
export function NewPatientNotice({ idPatient }: { idPatient: string }) {
  const permissions = useSession(({ home }) => home?.permissions)
  const actions = (
    <>
      {permissions?.includes('insurance.write') && (
        <Link
          to="/patient/$id_patient/insurance"
          params={{ id_patient: idPatient }}
          search={{ add: true }}
          className={buttonClasses('primary')}
        >
          Add insurance
        </Link>
      )}
      {permissions?.includes('appointment.read') && (
        <Link to="/patient/$id_patient/appointments" params={{ id_patient: idPatient }} className={buttonClasses()}>
          Appointments
        </Link>
      )}
    </>
  )
  return (
    <div className="col-span-full">
      <Notice tone="info" title="New patient - add insurance or book an exam." actions={actions} />
    </div>
  )
}
