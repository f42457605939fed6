import { createFileRoute, redirect } from '@tanstack/react-router'

/** Every other address below the price book leads to the price book. */
export const Route = createFileRoute('/_shell/price-book/$')({
  beforeLoad: () => {
    throw redirect({ to: '/price-book', replace: true })
  },
})
