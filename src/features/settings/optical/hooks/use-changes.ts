import { readTexts } from '#src/sync/device/read-as.ts'
import { useTyped, type Typed } from '#src/sync/react/use-typed.ts'

type Texts = Record<string, string>
type Changes<F> = Omit<Typed<Texts>, 'typed' | 'change'> & { typed: F; isChanged: boolean; change: (changes: Partial<F>) => void }

const nothing: Texts = {}

/**
 * A form over what is saved. Only what is typed differently is kept on this device: what others save meanwhile is not undone by it.
 * Null for the moment in which it is looked for what was typed before.
 */
export function useChanges<F extends Texts>(place: string, saved: F): Changes<F> | null {
  const draft = useTyped(place, nothing, readTexts)
  if (draft.typed === null) return null
  const changes = otherThan(saved, draft.typed)
  const isChanged = Object.keys(changes).length > 0
  return {
    ...draft,
    typed: { ...saved, ...changes },
    isChanged,
    former: isChanged ? draft.former : null,
    change: (more) => draft.change(otherThan(saved, { ...changes, ...more })),
  }
}

function otherThan(saved: Texts, typed: Texts): Texts {
  return Object.fromEntries(Object.entries(typed).filter(([field, text]) => field in saved && saved[field] !== text))
}
