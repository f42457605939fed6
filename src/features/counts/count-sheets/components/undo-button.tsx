import { Undo2 } from 'lucide-react'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { Button } from '#src/ui/button.tsx'

/** Undoes the user's last scan. */
export function UndoButton({ model, size = 'md' }: { model: SheetModel; size?: 'md' | 'lg' }) {
  return (
    <Button size={size} wide icon={<Undo2 size={20} aria-hidden />} onClick={() => void model.undo()}>
      Undo last
    </Button>
  )
}
