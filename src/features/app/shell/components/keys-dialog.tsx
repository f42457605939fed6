import { Dialog } from '#src/ui/dialog.tsx'

const keys: readonly [keys: readonly string[], action: string][] = [
  [['/', 'Ctrl + K', '⌘ + K'], 'Find a patient'],
  [['Ctrl + B', '⌘ + B'], 'Open or close the sidebar'],
  [['↑', '↓', 'Enter'], 'Move in a list and open the selected row'],
  [['Page Up', 'Page Down', 'Home', 'End'], 'Move through a long list'],
  [['Enter', '↓', '↑'], 'Go to the other eye in a prescription'],
  [['F8'], 'Go to the notification'],
  [['Esc'], 'Close a dialog, menu or list'],
  [['?'], 'Show these keys'],
]

/** The keys of the app. */
export function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <dl className="divide-y divide-line">
        {keys.map(([names, action]) => (
          <div key={action} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
            <dt>{action}</dt>
            <dd className="flex flex-wrap gap-1.5">
              {names.map((name) => (
                <kbd key={name} className="rounded-sm border border-line-strong bg-sunken px-2 py-0.5 text-sm whitespace-nowrap">
                  {name}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
