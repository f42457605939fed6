import { createFileRoute } from '@tanstack/react-router'
import { Today } from '#src/routes/_shell/-today.tsx'
import { homeRoute } from '#src/routes/_shell/-home-route.ts'

export const Route = createFileRoute('/_shell/')({ ...homeRoute, component: Today })
