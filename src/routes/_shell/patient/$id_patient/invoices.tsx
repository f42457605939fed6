import { createFileRoute } from '@tanstack/react-router'
import { InvoiceListTab } from '#src/features/invoices/invoice-list.tsx'

export const Route = createFileRoute('/_shell/patient/$id_patient/invoices')({ component: Invoices })

function Invoices() {
  return <InvoiceListTab idPatient={Route.useParams().id_patient} />
}
