import { useSheet } from '#src/features/counts/count-sheets/queries.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { Pace, People } from './count-figures.tsx'

/** Shows who counts and how fast. A phone has no room for this beside the lists. */
export function PaceDialog({ model, onClose }: { model: SheetModel; onClose: () => void }) {
  useSheet(model, (state) => state.version)
  return (
    <Dialog open onClose={onClose} size="sm" title="Who’s counting and pace">
      <div className="flex flex-col gap-4">
        {model.seesExpected() && (
          <div>
            <Pace model={model} />
          </div>
        )}
        <People model={model} whenNobody={<p className="text-ink-2">No one has counted a frame yet.</p>} />
      </div>
    </Dialog>
  )
}
