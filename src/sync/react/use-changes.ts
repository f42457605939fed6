import { readTexts } from '#src/sync/device/read-as.ts'
import type { DraftPlace } from '#src/sync/device/drafts.ts'
import { useTyped, type Typed } from '#src/sync/react/use-typed.ts'

type Texts = Record<string, string>
type Changes<F> = Omit<Typed<Texts>, 'typed' | 'change'> & {
  typed: F
  isChanged: boolean
  /** The ids that were kept with the changes, or else the given ones. */
  ids: Texts
  change: (changes: Partial<F>) => void
}

const nothing: Texts = {}
const idField = 'id: '

/**
 * A form over the saved values. The device keeps only the typed differences, so it never undoes other users' saves.
 * Null while the device looks for an earlier draft.
 * @param ids are kept with the changes, so the same work sent again after a reload has the same ids
 */
export function useChanges<F extends Texts>(place: DraftPlace, saved: F, ids: Texts = nothing): Changes<F> | null {
  const draft = useTyped(place, nothing, readTexts)
  if (draft.typed === null) return null
  const kept = draft.typed
  const changes = otherThan(saved, kept)
  const isChanged = Object.keys(changes).length > 0
  const ownIds = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, kept[idField + name] ?? id]))
  return {
    ...draft,
    typed: { ...saved, ...changes },
    isChanged,
    ids: ownIds,
    former: isChanged ? draft.former : null,
    change(more) {
      const next = otherThan(saved, { ...changes, ...more })
      const stamps = Object.entries(ownIds).map(([name, id]) => [idField + name, id])
      draft.change(Object.keys(next).length === 0 ? nothing : { ...next, ...Object.fromEntries(stamps) })
    },
  }
}

function otherThan(saved: Texts, typed: Texts): Texts {
  return Object.fromEntries(Object.entries(typed).filter(([field, text]) => field in saved && saved[field] !== text))
}
