import { StrictMode } from 'react'
import type { Root } from 'react-dom/client'
import { PortalPage } from '#src/features/patients/portal-page/portal-page.tsx'

/** The page of a patient, by itself: no device, no router, nothing kept. */
export function openPortalPage(root: Root): Promise<void> {
  // As the patient's own device is; what staff chose for theirs is not asked.
  document.documentElement.dataset['theme'] = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  root.render(
    <StrictMode>
      <PortalPage />
    </StrictMode>,
  )
  return Promise.resolve()
}
