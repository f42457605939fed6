import { Description, Dialog as HeadlessDialog, DialogBackdrop, DialogPanel, DialogTitle } from '@headlessui/react'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'

export type DialogProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  /** `full` is 1200 by 800, or what the screen has. */
  size?: 'sm' | 'md' | 'lg' | 'xl' | 'full'
  children?: ReactNode
  /** The buttons, the main one last. */
  footer?: ReactNode
  /** False where a stray tap beside the dialog would lose what was typed. Escape closes in any case. */
  closeOnOutside?: boolean
  /** `alertdialog` for what interrupts and asks for a decision. */
  role?: 'dialog' | 'alertdialog'
}

const widths = {
  sm: 'max-w-[420px]',
  md: 'max-w-[600px]',
  lg: 'max-w-[860px]',
  xl: 'max-w-[1100px]',
  full: 'max-w-[1200px] h-[800px]',
}

/** A dialog that keeps the focus, closes on Escape and gives the focus back. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  size = 'md',
  children,
  footer,
  closeOnOutside = true,
  role = 'dialog',
}: DialogProps) {
  const frame = 'flex min-h-full w-full items-end justify-center sm:items-center sm:p-6'
  const panel = (
    <>
      <header className="flex items-start gap-3 border-b border-line py-1 pr-1 pl-5">
        <div className="min-w-0 flex-1 py-3">
          <DialogTitle className="text-lg font-semibold wrap-anywhere">{title}</DialogTitle>
          {description && <Description className="mt-1 text-sm wrap-anywhere text-ink-2">{description}</Description>}
        </div>
        <IconButton label="Close" icon={<X size={20} aria-hidden />} onClick={onClose} tooltip={false} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
      {footer && <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>}
    </>
  )
  const look = `flex max-h-dvh w-full flex-col border border-line bg-raised shadow-raised max-sm:rounded-t-xl sm:max-h-[calc(100dvh-3rem)] sm:rounded-xl ${widths[size]}`
  const motion = 'transition duration-(--usual) data-closed:translate-y-2 data-closed:opacity-0'
  return (
    <HeadlessDialog open={open} onClose={onClose} role={role} className="relative z-40">
      <DialogBackdrop transition className="fixed inset-0 bg-scrim transition-opacity duration-(--usual) data-closed:opacity-0" />
      <div className="fixed inset-0 overflow-y-auto">
        {closeOnOutside ? (
          <div className={frame}>
            <DialogPanel transition className={`${look} ${motion}`}>
              {panel}
            </DialogPanel>
          </div>
        ) : (
          // What counts as inside is the whole screen, so that a tap beside the panel is no tap outside.
          <DialogPanel transition className={`${frame} ${motion}`}>
            <div className={look}>{panel}</div>
          </DialogPanel>
        )}
      </div>
    </HeadlessDialog>
  )
}
