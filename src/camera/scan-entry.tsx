import { ScanBarcode } from 'lucide-react'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { pageScanner } from '#src/device/page-scanner.ts'
import { Button } from '#src/ui/button.tsx'
import { CodeEntry } from '#src/ui/forms/code-entry.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import type { ScanNotice } from '#src/ui/scan-notice.ts'

const CameraPanel = fetchedDialog(async () => (await import('./camera-panel.tsx')).CameraPanel)

type Props = {
  label: string
  placeholder: string
  /** False while a dialog has the screen, or while the page cannot take a label. */
  takes: boolean
  disabled: boolean
  /** Returns the code in the raw text of a label. */
  clean: (raw: string) => string
  isKnown: (code: string) => boolean
  /** The result of the last code. */
  notice: ScanNotice | null
  onCode: (code: string) => Promise<void>
}

/**
 * Takes labels for the page that shows it: from a scanner wherever the focus is, typed, or held before the camera.
 * Labels come faster than answers, so each waits for the one before it.
 */
export function ScanEntry({ label, placeholder, takes, disabled, clean, isKnown, notice, onCode }: Props) {
  const isListening = takes && !disabled
  const [hasCamera, setCamera] = useState(false)
  const turn = useRef(Promise.resolve())
  const take = useEffectEvent((raw: string) => onCode(raw))
  const onScan = (raw: string) => {
    if (isListening) turn.current = turn.current.then(() => take(raw))
  }
  const onScanned = useEffectEvent(onScan)
  // Listens from the moment the page shows that it takes labels. A dialog gets the text and scans of its own.
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
        {notice && (
          <Notice tone={notice.tone} actions={notice.actions}>
            {notice.text}
          </Notice>
        )}
      </div>
    </>
  )
}
