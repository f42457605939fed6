import { createFileRoute, redirect } from '@tanstack/react-router'
import { workingSettings } from '#src/routes/_shell/-working-settings.ts'

export const Route = createFileRoute('/_shell/settings/')({
  beforeLoad: () => {
    throw redirect({ to: workingSettings[0], replace: true })
  },
})
