import { Button } from '#src/ui/button.tsx'
import { formatCount } from '#src/ui/format.ts'
import { showToast } from '#src/ui/toast-store.ts'

/** The answer of `useMore`. */
type ShowMoreProps = {
  of: {
    rows: readonly unknown[]
    total: number
    isLoading: boolean
    more: (() => Promise<{ message: string } | null>) | null
  }
}

/** The button below a list that fetches its next rows; nothing when all show. */
export function ShowMore({ of: { rows, total, isLoading, more } }: ShowMoreProps) {
  if (!more) return null
  async function show(fetchMore: NonNullable<typeof more>) {
    const failure = await fetchMore()
    if (failure) showToast({ title: 'Couldn’t load the rest', description: failure.message, tone: 'bad' })
  }
  return (
    <Button busy={isLoading} onClick={() => void show(more)}>
      Show more: {formatCount(rows.length)} of {formatCount(total)}
    </Button>
  )
}
