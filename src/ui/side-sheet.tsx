import { Dialog as HeadlessDialog, DialogBackdrop, DialogPanel, DialogTitle } from '@headlessui/react'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'
import { useOpenForm } from './open-forms.ts'

export type SideSheetProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  side?: 'left' | 'right'
  /** The kind of width, at most the screen's. */
  width?: 'navigation' | 'panel'
  /** Shows the title and a close button. Without it, only screen readers get the title. */
  head?: boolean
  children: ReactNode
  footer?: ReactNode
}

/** A panel that slides in from a side and keeps the focus until it closes. */
export function SideSheet({ open, onClose, title, side = 'right', width = 'panel', head = true, children, footer }: SideSheetProps) {
  // A sheet without a head is navigation, not a form.
  useOpenForm(open && head)
  const place = side === 'left' ? 'left-0 border-r data-closed:-translate-x-full' : 'right-0 border-l data-closed:translate-x-full'
  return (
    <HeadlessDialog open={open} onClose={onClose} className="relative z-40">
      <DialogBackdrop transition className="fixed inset-0 bg-scrim transition-opacity duration-(--usual) data-closed:opacity-0" />
      <DialogPanel
        transition
        className={`fixed inset-y-0 flex max-w-full flex-col border-line bg-raised shadow-raised transition-transform duration-(--slow) ease-swift ${place} ${
          width === 'navigation' ? 'w-(--sidebar-width-mobile)' : 'w-[30rem]'
        }`}
      >
        {head ? (
          <header className="flex items-center gap-3 border-b border-line py-1 pr-1 pl-5">
            <DialogTitle className="flex-1 text-lg font-semibold">{title}</DialogTitle>
            <IconButton label="Close" icon={<X size={20} aria-hidden />} onClick={onClose} tooltip={false} />
          </header>
        ) : (
          <DialogTitle className="sr-only">{title}</DialogTitle>
        )}
        <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
        {footer && <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>}
      </DialogPanel>
    </HeadlessDialog>
  )
}
