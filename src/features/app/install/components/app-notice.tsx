import { RefreshCw, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { ManualSteps } from './manual-steps.tsx'

export type AppNoticeProps =
  | { about: 'other-tab' }
  | { about: 'too-old'; onUpdate: () => void }
  | { about: 'update'; onUpdate: () => void; onClose: () => void }
  | { about: 'wiped' | 'page-missing' | 'ipad'; onClose: () => void }

const reload = () => window.location.reload()

/** One notice about the app itself. */
export function AppNotice(props: AppNoticeProps) {
  switch (props.about) {
    case 'other-tab':
      return (
        <Bar
          title="A newer version of Lorgnette runs in another tab"
          button={
            <Button variant="primary" icon={<RefreshCw size={18} aria-hidden />} onClick={reload}>
              Reload
            </Button>
          }
        >
          This tab can’t save anymore. Your saved work is safe. Reload to continue.
        </Bar>
      )
    case 'wiped':
      return (
        <Bar title="This browser deleted data stored on this device" onClose={props.onClose} closeLabel="OK">
          Unsent work is gone. Check your last scans and punches. Installing the app makes this much less likely.
        </Bar>
      )
    case 'update':
      return (
        <Bar title="A new version of Lorgnette is ready" onClose={props.onClose} button={<UpdateButton onUpdate={props.onUpdate} />}>
          It takes a few seconds. Unsent work is kept.
        </Bar>
      )
    case 'too-old':
      return (
        <Bar title="This version is too old. Update Lorgnette." button={<UpdateButton onUpdate={props.onUpdate} />}>
          Nothing is lost. Unsent work is sent after the update.
        </Bar>
      )
    case 'page-missing':
      return (
        <Bar
          title="Part of the app didn’t load"
          onClose={props.onClose}
          button={
            <Button icon={<RefreshCw size={18} aria-hidden />} onClick={reload}>
              Reload
            </Button>
          }
        >
          Finish typing, then reload.
        </Bar>
      )
    case 'ipad':
      return (
        <Bar title="Install Lorgnette on this tablet" onClose={props.onClose} closeLabel="Not now">
          <ManualSteps />
        </Bar>
      )
    default:
      return props satisfies never
  }
}

function UpdateButton({ onUpdate }: { onUpdate: () => void }) {
  return (
    <Button variant="primary" icon={<RefreshCw size={18} aria-hidden />} onClick={onUpdate}>
      Update now
    </Button>
  )
}

type BarProps = { title: string; children: ReactNode; button?: ReactNode; onClose?: () => void; closeLabel?: string }

function Bar({ title, children, button, onClose, closeLabel = 'Later' }: BarProps) {
  return (
    <div
      role="status"
      className="pointer-events-none fixed right-0 bottom-0 left-0 z-30 flex justify-center p-3 sm:p-4 md:[:root:has([data-state=expanded])_&]:left-(--sidebar-width)"
    >
      <div className="pointer-events-auto flex w-full max-w-[44rem] animate-arrive flex-wrap items-center gap-3 rounded-lg border border-line border-l-brass bg-raised py-3 pr-2 pl-4 shadow-raised [border-left-width:3px]">
        <div className="min-w-0 flex-1">
          <strong className="block font-semibold">{title}</strong>
          <div className="text-sm text-ink-2">{children}</div>
        </div>
        {button}
        {onClose && <IconButton label={closeLabel} icon={<X size={18} aria-hidden />} onClick={onClose} />}
      </div>
    </div>
  )
}
