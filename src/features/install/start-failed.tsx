import { NewerDatabase } from '#src/db/hot.ts'
import { buttonClasses } from '#src/ui/button.tsx'

/** The app could not open its database on this device. */
export function StartFailed({ error }: { error: unknown }) {
  const newer = error instanceof NewerDatabase
  return (
    <main role="alert" className="mx-auto flex min-h-dvh max-w-prose flex-col items-start justify-center gap-4 px-6">
      <p className="engraved">Lorgnette could not start</p>
      <h1 className="text-2xl font-semibold">
        {newer ? 'A newer version was used on this device' : 'This browser does not let the app keep anything'}
      </h1>
      <p className="text-ink-2">
        {newer
          ? 'What it keeps can only be read by that version. Reload to get it; nothing is lost.'
          : 'Lorgnette keeps every scan on this device until the server has it, and could not open the place for that. Private windows and full disks are the usual causes. Leave the private window or free some space, close the other tabs of Lorgnette, and try again.'}
      </p>
      {!newer && <p className="text-sm wrap-anywhere text-ink-3">{error instanceof Error ? error.message : String(error)}</p>}
      <button type="button" className={buttonClasses('primary')} onClick={() => window.location.reload()}>
        {newer ? 'Reload' : 'Try again'}
      </button>
    </main>
  )
}
