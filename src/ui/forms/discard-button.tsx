import type { ReactNode } from 'react'
import { Button } from '#src/ui/button.tsx'

/** Leaves a form and discards its text. Closing the form in any other way keeps the text. */
export function DiscardButton({ forget, onClose, children }: { forget: () => Promise<boolean>; onClose: () => void; children: ReactNode }) {
  return (
    <Button
      onClick={() => {
        void forget()
        onClose()
      }}
    >
      {children}
    </Button>
  )
}
