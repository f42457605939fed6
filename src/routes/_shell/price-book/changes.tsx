import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { PriceBookScreen } from '#src/features/stock/price-book/price-book-screen.tsx'

export const Route = createFileRoute('/_shell/price-book/changes')({ component: Changes })

function Changes() {
  const navigate = useNavigate()
  return <PriceBookScreen view="changes" onView={() => void navigate({ to: '/price-book' })} brand={null} onBrand={() => undefined} />
}
