import { createFileRoute } from '@tanstack/react-router'
import { PatientReturnList } from '#src/features/money/patient-returns/patient-return-list.tsx'
import { ReturnsScreen } from '#src/features/receiving/vendor-returns/returns-screen.tsx'

export const Route = createFileRoute('/_shell/returns/')({
  // The page checks the tab's name: this line is loaded with every page.
  validateSearch: ({ tab }): { tab?: string } => (typeof tab === 'string' ? { tab } : {}),
  component: Returns,
})

function Returns() {
  const { tab } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ReturnsScreen
      tab={tab}
      onTab={(next) => void navigate({ search: { tab: next } })}
      patientReturns={<PatientReturnList onOpen={(id) => void navigate({ to: '/returns/patient/$id', params: { id } })} />}
      onOpenVendor={(id) => void navigate({ to: '/returns/$id', params: { id } })}
    />
  )
}
