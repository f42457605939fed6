import type { Root } from 'react-dom/client'
import { StartFailed } from '#src/features/app/install/start-failed.tsx'

// React, and what both the login screen and the app are made of: see the chunks in vite.config.ts.
export { createRoot } from 'react-dom/client'

export function showStartFailed(root: Root, error: unknown): void {
  root.render(<StartFailed error={error} />)
}
