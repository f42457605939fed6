import { createFileRoute, redirect } from '@tanstack/react-router'

/** Everything else below the price book is the price book. */
export const Route = createFileRoute('/_shell/price-book/$')({
  beforeLoad: () => {
    throw redirect({ to: '/price-book', replace: true })
  },
})
