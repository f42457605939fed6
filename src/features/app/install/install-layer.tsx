import { type ComponentType, useEffect, useState } from 'react'
import { quietMoment } from '#src/ui/quiet-moment.ts'
import { beginInstallation } from './register-worker.ts'

type Notices = ComponentType<{ pathname: string }>

/**
 * Installs the app, and shows the notices about it. Their code comes after the page, and before anyone needs it: when a
 * part of the app is missing, the notice that says so must still open.
 */
export function InstallLayer({ pathname }: { pathname: string }) {
  const [Notices, setNotices] = useState<Notices | null>(null)
  useEffect(beginInstallation, [])
  useEffect(() => {
    quietMoment()
      .then(() => import('./components/install-notices.tsx'))
      .then(({ InstallNotices }) => setNotices(() => InstallNotices))
      .catch(() => undefined)
  }, [])
  return Notices && <Notices pathname={pathname} />
}
