import { OctagonAlert, X } from 'lucide-react'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { useSheet } from '#src/features/counts/count-sheets/queries.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'

/** Lists the scans that could not be saved across the whole screen, with their codes, until a user deals with them. */
export function SaveProblems({ model }: { model: SheetModel }) {
  const notSaved = useSheet(model, (state) => state.notSaved)
  if (notSaved.length === 0) return null
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-bad-solid px-4 py-3 text-bad-solid-ink">
      <OctagonAlert size={36} aria-hidden className="shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="text-2xl font-bold">NOT SAVED</p>
        <p>{notSaved.at(-1)?.problem.message}</p>
        <ul className="mt-1 flex flex-wrap gap-2">
          {notSaved.map((scan) => (
            <li key={scan.key} className="flex items-center rounded-md bg-surface pl-3 text-ink">
              <span className="figures font-semibold">{scan.code}</span>
              <IconButton label={`Forget ${scan.code}`} icon={<X size={18} aria-hidden />} onClick={() => model.forgetNotSaved(scan.key)} />
            </li>
          ))}
        </ul>
      </div>
      <Button size="lg" onClick={() => void model.retryNotSaved()}>
        Try again
      </Button>
    </div>
  )
}
