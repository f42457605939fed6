import { createFileRoute, redirect } from '@tanstack/react-router'

/** Everything else below the receipts is their list. */
export const Route = createFileRoute('/_shell/receipts/$')({
  beforeLoad: () => {
    throw redirect({ to: '/receipts', replace: true })
  },
})
