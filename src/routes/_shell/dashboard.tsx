import { createFileRoute } from '@tanstack/react-router'
import { homeRoute } from '#src/routes/_shell/-home-route.ts'
import { Today } from '#src/routes/_shell/-today.tsx'

export const Route = createFileRoute('/_shell/dashboard')({ ...homeRoute, component: Today })
