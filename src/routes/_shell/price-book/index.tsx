import { createFileRoute } from '@tanstack/react-router'
import { PriceBookScreen } from '#src/features/stock/price-book/price-book-screen.tsx'

export const Route = createFileRoute('/_shell/price-book/')({
  validateSearch: ({ brand }): { brand?: number } => (typeof brand === 'number' && Number.isInteger(brand) && brand > 0 ? { brand } : {}),
  component: Prices,
})

function Prices() {
  const { brand = null } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <PriceBookScreen
      view="prices"
      onView={() => void navigate({ to: '/price-book/changes' })}
      brand={brand}
      onBrand={(next) => void navigate({ search: next === null ? {} : { brand: next } })}
    />
  )
}
