import { useEffect, useState } from 'react'
import { countSheetEndpoints, type CountLine } from '#contract/counts/count-sheets.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'

export type Lines = { status: 'loading' } | { status: 'ready'; lines: CountLine[] } | { status: 'failed'; failure: Failure }

/** Returns the server's lines of a sheet: the final ones of a closed sheet, else those of closing it now. */
export function useLines(idCountSheet: string, wanted: boolean): Lines & { reload: () => void } {
  const device = useDevice()
  const [asked, setAsked] = useState(0)
  const [lines, setLines] = useState<Lines>({ status: 'loading' })
  useEffect(() => {
    if (!wanted) return
    const abort = new AbortController()
    void device
      .call(countSheetEndpoints.listCountItems, { query: { id_count_sheet: idCountSheet } }, { signal: abort.signal })
      .then((outcome) => {
        if (abort.signal.aborted) return
        setLines(outcome.ok ? { status: 'ready', lines: outcome.value.items } : { status: 'failed', failure: outcome.failure })
      })
    return () => abort.abort()
  }, [device, idCountSheet, wanted, asked])
  return { ...lines, reload: () => setAsked((count) => count + 1) }
}
