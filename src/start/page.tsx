import type { Root } from 'react-dom/client'
import { StartFailed } from '#src/features/app/install/start-failed.tsx'

// React, and the code that the login screen and the app share: see the chunks in vite.config.ts.
export { createRoot } from 'react-dom/client'

export function showStartFailed(root: Root, error: unknown): void {
  root.render(<StartFailed error={error} />)
}
