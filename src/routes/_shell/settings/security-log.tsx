import { createFileRoute, Link } from '@tanstack/react-router'
import { SecurityLogScreen } from '#src/features/settings/security-log/security-log-screen.tsx'

export const Route = createFileRoute('/_shell/settings/security-log')({ component: SecurityLog })

function SecurityLog() {
  return (
    <SecurityLogScreen
      patientLink={(id) => (
        <Link to="/patient/$id_patient" params={{ id_patient: id }} className="inline-flex min-h-target items-center underline">
          Open the record
        </Link>
      )}
    />
  )
}
