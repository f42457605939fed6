import { createFileRoute } from '@tanstack/react-router'
import { FrameLibraryScreen, type LibraryPlace } from '#src/features/stock/frame-library/frame-library-screen.tsx'

export const Route = createFileRoute('/_shell/frame-library')({
  validateSearch: (search): LibraryPlace => ({ brand: idIn(search['brand']), product: idIn(search['product']) }),
  component: FrameLibrary,
})

function idIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
}

function FrameLibrary() {
  const place = Route.useSearch()
  const navigate = Route.useNavigate()
  return <FrameLibraryScreen place={place} onPlace={(search) => void navigate({ to: '/frame-library', search })} />
}
