import { createFileRoute } from '@tanstack/react-router'
import { Today } from '#src/routes/_shell/-today.tsx'

export const Route = createFileRoute('/_shell/dashboard')({ component: Today })
