import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { CountSheetsScreen } from '#src/features/counts/count-sheets/count-sheets-screen.tsx'

const search = v.object({ new: v.optional(v.fallback(v.literal(1), 1)) })

export const Route = createFileRoute('/_shell/inventory/count-sheets/')({
  validateSearch: (given) => v.parse(search, given),
  component: CountSheets,
})

function CountSheets() {
  const { new: startsNew } = Route.useSearch()
  return <CountSheetsScreen startsNew={startsNew === 1} />
}
