import { StrictMode } from 'react'
import type { Root } from 'react-dom/client'
import { PortalPage } from '#src/features/patients/portal-page/portal-page.tsx'

/** The page of a patient, on its own: no device, no router, nothing kept. */
export function openPortalPage(root: Root): Promise<void> {
  // Follows the patient's own device, not a user's choice of theme.
  document.documentElement.dataset['theme'] = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  root.render(
    <StrictMode>
      <PortalPage />
    </StrictMode>,
  )
  return Promise.resolve()
}
