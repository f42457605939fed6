import { Description, Dialog as HeadlessDialog, DialogBackdrop, DialogPanel, DialogTitle } from '@headlessui/react'
import { X } from 'lucide-react'
import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'
import { useOpenForm } from './open-forms.ts'

export type DialogProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  /** `full` is 1200 by 800, or the whole screen when that is smaller. */
  size?: 'sm' | 'md' | 'lg' | 'xl' | 'full'
  /** `header`: right under the header of its button, on a phone at the top. It only grows downward. */
  place?: 'middle' | 'header'
  children?: ReactNode
  /** The buttons, the main one last. */
  footer?: ReactNode
  /** False when a stray tap beside the dialog would lose typed text. Escape always closes. */
  closeOnOutside?: boolean
  /** `alertdialog` for a dialog that interrupts and asks for a decision. */
  role?: 'dialog' | 'alertdialog'
}

const widths = {
  sm: 'max-w-[420px]',
  md: 'max-w-[600px]',
  lg: 'max-w-[860px]',
  xl: 'max-w-[1100px]',
  full: 'max-w-[1200px] h-[800px]',
}

const places = {
  middle: {
    frame: 'items-end justify-center sm:items-center sm:p-6',
    panel: 'max-sm:rounded-t-xl sm:max-h-[calc(100dvh-3rem)]',
    from: 'data-closed:translate-y-2',
  },
  header: {
    frame: 'items-start justify-end sm:px-2 sm:pt-[calc(var(--header-height)+0.25rem)]',
    panel: 'max-sm:rounded-b-xl sm:max-h-[calc(100dvh-var(--header-height)-1rem)]',
    from: 'data-closed:-translate-y-2',
  },
}

/** A dialog that keeps the focus, closes on Escape and gives the focus back. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  size = 'md',
  place = 'middle',
  children,
  footer,
  closeOnOutside = true,
  role = 'dialog',
}: DialogProps) {
  useOpenForm(open)
  const isThere = useIsThere()
  // Headless UI closes a dialog that vanishes, also when the user leaves the page. That would take them back to the old
  // page.
  const close = () => {
    if (isThere.current) onClose()
  }
  const frame = `flex min-h-full w-full ${places[place].frame}`
  const panel = (
    <>
      <header className="flex items-start gap-3 border-b border-line py-1 pr-1 pl-5">
        <div className="min-w-0 flex-1 py-3">
          <DialogTitle className="text-lg font-semibold wrap-anywhere">{title}</DialogTitle>
          {description && <Description className="mt-1 text-sm wrap-anywhere text-ink-2">{description}</Description>}
        </div>
        <IconButton label="Close" icon={<X size={20} aria-hidden />} onClick={close} tooltip={false} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
      {footer && <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>}
    </>
  )
  const look = `flex max-h-dvh w-full flex-col border border-line bg-raised shadow-raised sm:rounded-xl ${places[place].panel} ${widths[size]}`
  const motion = `transition duration-(--usual) data-closed:opacity-0 ${places[place].from}`
  return (
    <HeadlessDialog open={open} onClose={close} role={role} className="relative z-40">
      <DialogBackdrop transition className="fixed inset-0 bg-scrim transition-opacity duration-(--usual) data-closed:opacity-0" />
      <div className="fixed inset-0 overflow-y-auto">
        {closeOnOutside ? (
          <div className={frame}>
            <DialogPanel transition className={`${look} ${motion}`}>
              {panel}
            </DialogPanel>
          </div>
        ) : (
          // The whole screen counts as inside, so that a tap beside the panel does not count as outside.
          <DialogPanel transition className={`${frame} ${motion}`}>
            <div className={look}>{panel}</div>
          </DialogPanel>
        )}
      </div>
    </HeadlessDialog>
  )
}

/**
 * Whether this component is mounted at this moment. The cleanup of a plain effect comes after the browser has painted
 * without it.
 */
function useIsThere(): { readonly current: boolean } {
  const isThere = useRef(false)
  useLayoutEffect(() => {
    isThere.current = true
    return () => {
      isThere.current = false
    }
  }, [])
  return isThere
}
