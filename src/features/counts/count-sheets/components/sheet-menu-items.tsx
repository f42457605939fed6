import { NotebookPen, RotateCcw, ScanBarcode, Trash2, UsersRound } from 'lucide-react'
import { MenuItem, MenuSeparator } from '#src/ui/menu.tsx'

/** The actions on a whole open sheet, except closing it. */
export function SheetMenuItems({
  mayDelete,
  onOpen,
}: {
  mayDelete: boolean
  onOpen: (dialog: 'scanner' | 'pace' | 'notes' | 'recount' | 'delete') => void
}) {
  return (
    <>
      <MenuItem icon={<ScanBarcode aria-hidden />} onSelect={() => onOpen('scanner')}>
        Scanner and sound
      </MenuItem>
      <MenuItem icon={<UsersRound aria-hidden />} onSelect={() => onOpen('pace')}>
        Who’s counting and pace
      </MenuItem>
      <MenuItem icon={<NotebookPen aria-hidden />} onSelect={() => onOpen('notes')}>
        Notes
      </MenuItem>
      <MenuItem icon={<RotateCcw aria-hidden />} onSelect={() => onOpen('recount')}>
        Recount
      </MenuItem>
      {mayDelete && (
        <>
          <MenuSeparator />
          <MenuItem tone="bad" icon={<Trash2 aria-hidden />} onSelect={() => onOpen('delete')}>
            Delete
          </MenuItem>
        </>
      )}
    </>
  )
}
