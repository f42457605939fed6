import { createFileRoute } from '@tanstack/react-router'
import { kindIn } from '#src/features/clinic/prescriptions/model/kind-in.ts'
import { RxNewPage } from '#src/features/clinic/prescriptions/rx-new-page.tsx'

export const Route = createFileRoute('/_shell/patient/$id_patient/rx/new')({
  component: Page,
  validateSearch: ({ kind }) => ({ kind: kindIn(kind) }),
})

function Page() {
  const { id_patient } = Route.useParams()
  const { kind } = Route.useSearch()
  return <RxNewPage key={`${id_patient} ${kind}`} idPatient={id_patient} kind={kind} />
}
