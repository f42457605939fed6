import { StrictMode } from 'react'
import type { Root } from 'react-dom/client'
import { PortalPage } from '#src/features/portal-page/portal-page.tsx'

/** The page of a patient, by itself: no device, no router, nothing kept. */
export function openPortalPage(root: Root): Promise<void> {
  root.render(
    <StrictMode>
      <PortalPage />
    </StrictMode>,
  )
  return Promise.resolve()
}
