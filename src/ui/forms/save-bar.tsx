import type { ReactNode } from 'react'
import { CircleCheck, CircleDashed, Lock } from 'lucide-react'
import { Button } from '#src/ui/button.tsx'
import { useOpenForm } from '#src/ui/open-forms.ts'

export type SaveState = 'saved' | 'changed' | 'saving'

export type SaveBarProps = {
  state: SaveState
  /** In two words, why nothing can be saved now; null when it can. */
  locked: string | null
  onDiscard: () => void
  /** Errors, or notes before saving: in view anywhere on the page. */
  children: ReactNode
}

/**
 * The buttons of the form, and whether the screen equals the server's values. At the left, where no toast covers them.
 */
export function SaveBar({ state, locked, onDiscard, children }: SaveBarProps) {
  const isSaved = state === 'saved'
  useOpenForm(!isSaved)
  const isReadOnly = locked !== null && isSaved
  return (
    <div className="sticky bottom-0 z-10 -mx-3 -mb-4 flex flex-col gap-3 border-t border-line bg-paper px-3 py-3 sm:-mx-5 sm:px-5 lg:-mx-7 lg:px-7">
      {children}
      <div className="flex min-h-target flex-wrap items-center gap-3">
        {!isReadOnly && (
          <Button type="submit" variant="primary" busy={state === 'saving'} disabled={locked !== null || isSaved}>
            Save
          </Button>
        )}
        {!isSaved && (
          <Button onClick={onDiscard} disabled={state === 'saving'}>
            Discard changes
          </Button>
        )}
        <p role="status" className="flex items-center gap-2 text-ink-2">
          <StateIcon state={state} isReadOnly={isReadOnly} />
          {wordsFor(state, locked)}
        </p>
      </div>
    </div>
  )
}

function StateIcon({ state, isReadOnly }: { state: SaveState; isReadOnly: boolean }) {
  if (isReadOnly) return <Lock size={18} aria-hidden />
  if (state === 'saved') return <CircleCheck size={18} aria-hidden className="text-good" />
  return <CircleDashed size={18} aria-hidden className="text-warn" />
}

function wordsFor(state: SaveState, locked: string | null): string {
  if (state === 'saving') return 'Saving…'
  if (locked !== null) return state === 'saved' ? `Read only: ${locked}` : `Not saved yet: ${locked}`
  return state === 'saved' ? 'All changes are saved' : 'Not saved yet'
}
