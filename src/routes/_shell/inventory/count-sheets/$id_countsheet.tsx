import { createFileRoute } from '@tanstack/react-router'
import { CountSheetScreen } from '#src/features/counts/count-sheets/count-sheet-screen.tsx'

export const Route = createFileRoute('/_shell/inventory/count-sheets/$id_countsheet')({ component: CountSheet })

function CountSheet() {
  const { id_countsheet } = Route.useParams()
  // Another sheet is another count: no state of the former one may remain.
  return <CountSheetScreen key={id_countsheet} idCountSheet={id_countsheet} />
}
