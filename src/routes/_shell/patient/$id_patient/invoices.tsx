import { createFileRoute } from '@tanstack/react-router'
import { InvoiceListTab } from '#src/features/money/invoices/invoice-list.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'

export const Route = createFileRoute('/_shell/patient/$id_patient/invoices')({ component: Invoices })

const ReturnDialog = fetchedDialog(
  async () => (await import('#src/features/money/patient-returns/request-return-dialog.tsx')).RequestReturnDialog,
)

function Invoices() {
  return <InvoiceListTab idPatient={Route.useParams().id_patient} ReturnDialog={ReturnDialog} />
}
