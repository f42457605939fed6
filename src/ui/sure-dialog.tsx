import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type Sure = { title: string; text: string; yes: string; busy: boolean; onYes: () => void; onClose: () => void }

/** Asks before something is done that cannot simply be undone. */
export function SureDialog({ title, text, yes, busy, onYes, onClose }: Sure) {
  return (
    <Dialog
      open
      role="alertdialog"
      size="sm"
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Not yet</Button>
          <Button variant="primary" busy={busy} onClick={onYes}>
            {yes}
          </Button>
        </>
      }
    >
      {text}
    </Dialog>
  )
}
