import { buttonClasses } from '#src/ui/button.tsx'
import { installStore } from './model/install-store.ts'

type Words = { title: string; text: string; button: string }

const newerVersion: Words = {
  title: 'A newer version was used on this device',
  text: 'Only that version can read the data here. Reload to get it. Nothing is lost.',
  button: 'Reload',
}
const partMissing: Words = {
  title: 'Part of the app didn’t load',
  text: 'The connection dropped, or the server has a new version. Your data on this device is safe. Try again.',
  button: 'Try again',
}
const noPlace: Words = {
  title: 'This browser won’t let the app store data',
  text: 'Lorgnette saves every scan on this device until it’s sent, but couldn’t open its storage. The usual causes are private windows and full disks. Leave the private window or free up space, close other Lorgnette tabs, and try again.',
  button: 'Try again',
}

/** Shown when the app could not be fetched, or could not open its database on this device. */
export function StartFailed({ error }: { error: unknown }) {
  // Compare the name: importing the class would load the database, which may be the missing part.
  const isNewer = error instanceof Error && error.name === 'NewerDatabase'
  const words = isNewer ? newerVersion : installStore.getState().pageMissing ? partMissing : noPlace
  return (
    <main role="alert" className="mx-auto flex min-h-dvh max-w-prose flex-col items-start justify-center gap-4 px-6">
      <p className="engraved">Lorgnette couldn’t start</p>
      <h1 className="text-2xl font-semibold">{words.title}</h1>
      <p className="text-ink-2">{words.text}</p>
      {!isNewer && <p className="text-sm wrap-anywhere text-ink-3">{error instanceof Error ? error.message : String(error)}</p>}
      <button type="button" className={buttonClasses('primary')} onClick={() => window.location.reload()}>
        {words.button}
      </button>
    </main>
  )
}
