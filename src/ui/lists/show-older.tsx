import { useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

type Failure = { kind: string; message: string }

/** The answer of `useMore`. */
type ShowOlderProps = {
  of: { rows: readonly unknown[]; total: number; isLoading: boolean; more: (() => Promise<Failure | null>) | null }
  /** The word for a row, such as `invoice`. The plural is by default `invoices`. */
  one: string
  many?: string
  /** What works without a connection, and what does not. */
  offline: string
}

/** Fetches older rows of a record. In their place it says why they could not be loaded. */
export function ShowOlder({ of: { rows, total, isLoading, more }, one, many, offline }: ShowOlderProps) {
  const [failure, setFailure] = useState<Failure | null>(null)
  if (!more) return null
  if (isLoading) return <Skeleton lines={5} height="row" />
  const show = async () => setFailure(await more())
  if (failure) return <NotLoaded failure={failure} offline={offline} onRetry={() => void show()} />
  return (
    <Button wide onClick={() => void show()}>
      Show older, {formatNumberOf(total - rows.length, one, many)}
    </Button>
  )
}
