import { createFileRoute } from '@tanstack/react-router'
import { TimeClockScreen } from '#src/features/people/time-clock/time-clock-screen.tsx'

export const Route = createFileRoute('/_shell/time-clock/')({ component: TimeClockScreen })
