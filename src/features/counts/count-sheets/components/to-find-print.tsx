import { Printer } from 'lucide-react'
import { Paper } from '#src/domain/print/paper.tsx'
import { usePrinting } from '#src/domain/print/use-printing.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { toFindPaper } from '../model/to-find-paper.ts'
import type { ToFindRows } from '../model/to-find-rows.ts'
import { useTimeZone } from '../queries.ts'

/** The button that prints the frames to find, and their paper. */
export function ToFindPrint({ title, list, filter }: { title: string; list: ToFindRows; filter: string }) {
  const { printing, print } = usePrinting()
  const timeZone = useTimeZone()
  return (
    <>
      <IconButton label="Print this list" icon={<Printer size={20} aria-hidden />} onClick={print} />
      {printing && <Paper document={toFindPaper(title, list, filter, timeZone)} />}
    </>
  )
}
