import { buttonClasses } from '#src/ui/button.tsx'
import { installStore } from './model/install-store.ts'

type Words = { title: string; text: string; button: string }

const newerVersion: Words = {
  title: 'A newer version was used on this device',
  text: 'What it keeps can only be read by that version. Reload to get it; nothing is lost.',
  button: 'Reload',
}
const partMissing: Words = {
  title: 'A part of the app could not be loaded',
  text: 'The connection was lost on the way, or the server has a new version. What this device keeps is not touched; try again.',
  button: 'Try again',
}
const noPlace: Words = {
  title: 'This browser does not let the app keep anything',
  text: 'Lorgnette keeps every scan on this device until the server has it, and could not open the place for that. Private windows and full disks are the usual causes. Leave the private window or free some space, close the other tabs of Lorgnette, and try again.',
  button: 'Try again',
}

/** The app could not be fetched, or could not open its database on this device. */
export function StartFailed({ error }: { error: unknown }) {
  // By its name: the class would bring the database with it, which may be the very part that is missing.
  const isNewer = error instanceof Error && error.name === 'NewerDatabase'
  const words = isNewer ? newerVersion : installStore.getState().pageMissing ? partMissing : noPlace
  return (
    <main role="alert" className="mx-auto flex min-h-dvh max-w-prose flex-col items-start justify-center gap-4 px-6">
      <p className="engraved">Lorgnette could not start</p>
      <h1 className="text-2xl font-semibold">{words.title}</h1>
      <p className="text-ink-2">{words.text}</p>
      {!isNewer && <p className="text-sm wrap-anywhere text-ink-3">{error instanceof Error ? error.message : String(error)}</p>}
      <button type="button" className={buttonClasses('primary')} onClick={() => window.location.reload()}>
        {words.button}
      </button>
    </main>
  )
}
