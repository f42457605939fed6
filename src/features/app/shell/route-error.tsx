import { useRouter } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '#src/ui/button.tsx'

const chunkFailure = /dynamically imported module|importing a module script failed|error loading dynamically imported|preload CSS/i

/** Returns true when a page could not be fetched. This happens when a newer version replaced this one on the server. */
export function isChunkFailure(error: unknown): boolean {
  return error instanceof Error && chunkFailure.test(error.message)
}

/** Replaces a page that failed. Saved work is safe. Try again reloads the page's parts and data, and draws it. */
export function RouteError({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter()
  const chunk = isChunkFailure(error)
  useEffect(() => {
    // The user sees plain words. The browser's console keeps the error for a developer.
    if (!chunk) reportError(error)
  }, [error, chunk])
  return (
    <div role="alert" className="mx-auto flex max-w-prose flex-col items-start gap-4 py-16">
      <p className="engraved">{chunk ? 'Page not loaded' : 'Something went wrong'}</p>
      <h1 className="text-2xl font-semibold">{chunk ? 'Couldn’t load this page' : 'This page stopped working'}</h1>
      <p className="text-ink-2">
        {chunk
          ? 'The connection dropped, or there’s a newer version of Lorgnette. Try again. If that doesn’t help, reload the app.'
          : 'Your saved work is safe. Unsent work and what you typed in a patient’s record are kept on this device. Try again. If it happens again, reload the app.'}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void router.invalidate().then(reset)} icon={<RefreshCw size={18} aria-hidden />}>
          Try again
        </Button>
        <Button onClick={() => window.location.reload()}>Reload the app</Button>
      </div>
      {!chunk && error instanceof Error && (
        <details className="w-full text-sm text-ink-3">
          <summary className="min-h-target py-3">Details for support</summary>
          <pre className="overflow-x-auto rounded-md bg-sunken p-3 whitespace-pre-wrap">{error.message}</pre>
        </details>
      )}
    </div>
  )
}
