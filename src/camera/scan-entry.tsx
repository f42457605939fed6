import { ScanBarcode } from 'lucide-react'
import { useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { pageScanner } from '#src/device/page-scanner.ts'
import type { ToneName } from '#src/device/sound.ts'
import { Button } from '#src/ui/button.tsx'
import { CodeEntry } from '#src/ui/forms/code-entry.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'

const CameraPanel = fetchedDialog(async () => (await import('./camera-panel.tsx')).CameraPanel)

/** What became of a label, as it is said; `sound` as it is heard. */
export type Told = { text: string; tone: 'good' | 'warn' | 'bad'; sound: ToneName; actions?: ReactNode }

type Props = {
  label: string
  placeholder: string
  /** False while something else has the screen, or nothing can be taken. */
  takes: boolean
  disabled: boolean
  /** What a label says of what was read. */
  clean: (raw: string) => string
  isKnown: (code: string) => boolean
  /** What became of the last one. */
  told: Omit<Told, 'sound'> | null
  onCode: (code: string) => Promise<void>
}

/**
 * Labels for the page that shows it: from a scanner, wherever the focus is, typed, or held before the camera. They come faster than answers:
 * each waits for the one before it.
 */
export function ScanEntry({ label, placeholder, takes, disabled, clean, isKnown, told, onCode }: Props) {
  const isListening = takes && !disabled
  const [hasCamera, setCamera] = useState(false)
  const turn = useRef(Promise.resolve())
  const take = useEffectEvent((raw: string) => onCode(raw))
  const onScan = (raw: string) => {
    if (isListening) turn.current = turn.current.then(() => take(raw))
  }
  const onScanned = useEffectEvent(onScan)
  // From the moment at which the page shows that it takes labels. What is typed or scanned into a dialog is the dialog’s.
  useLayoutEffect(() => (isListening ? pageScanner(clean).subscribe((raw) => onScanned(raw)) : undefined), [isListening, clean])
  return (
    <>
      <div className="flex items-end gap-2">
        <CodeEntry disabled={disabled} onCode={(code) => onScanned(code)} label={label} placeholder={placeholder} />
        <Button icon={<ScanBarcode size={18} aria-hidden />} aria-pressed={hasCamera} onClick={() => setCamera(!hasCamera)}>
          Camera
        </Button>
      </div>
      {hasCamera && <CameraPanel isKnown={isKnown} onScan={(code) => onScanned(code)} onClose={() => setCamera(false)} />}
      <div aria-live="assertive">
        {told && (
          <Notice tone={told.tone} actions={told.actions}>
            {told.text}
          </Notice>
        )}
      </div>
    </>
  )
}
