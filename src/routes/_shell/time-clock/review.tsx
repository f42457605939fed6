import { createFileRoute } from '@tanstack/react-router'
import { TimeReviewScreen } from '#src/features/people/time-clock/time-review-screen.tsx'

export const Route = createFileRoute('/_shell/time-clock/review')({ component: TimeReviewScreen })
