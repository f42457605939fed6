import type { ReactNode } from 'react'
import { Button } from '#src/ui/button.tsx'

/** Leaves a form that a reload takes nothing from, and with it what was typed there. Who closes the form otherwise finds it again. */
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
