import { Link } from '@tanstack/react-router'
import type { PatientLinkProps } from './patient-rows.tsx'

/** A link to a patient's page, within the app. */
export function PatientLink({ id, ...rest }: PatientLinkProps) {
  return <Link to="/patient/$id_patient" params={{ id_patient: id }} {...rest} />
}
