import { Volume2 } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { normaliseCode } from '#contract/core/codes.ts'
import { scanOutcomes } from '#contract/counts/counting.ts'
import { shake } from '#src/device/haptics.ts'
import { pageScanner } from '#src/device/page-scanner.ts'
import { pageSound } from '#src/device/sound.ts'
import type { WakeState } from '#src/device/wake-lock.ts'
import { outcomeLooks } from '#src/features/counts/count-sheets/model/outcome-look.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Switch } from '#src/ui/forms/switch.tsx'

const wakeWords: Record<WakeState, string> = {
  held: 'The screen stays on while you count.',
  released: 'The screen may turn off. Press Start counting.',
  refused: 'The screen may turn off on this tablet. Is the battery low?',
  unsupported: 'This browser can’t keep the screen on. Set a longer screen timeout on the tablet.',
}

/** Tests the scanner without counting, and sets the sounds of this tablet. */
export function ScannerDialog({ wake, onClose }: { wake: WakeState; onClose: () => void }) {
  const device = useDevice()
  const sound = pageSound()
  const settings = useSyncExternalStore(sound.subscribe, sound.settings)
  const [read, setRead] = useState<{ code: string; raw: string } | null>(null)

  useEffect(() => {
    void sound.open()
    return pageScanner(normaliseCode).subscribe((code, raw) => {
      setRead({ code, raw })
      sound.play('counted')
    })
  }, [sound])

  const match = read ? device.frames.find(read.code) : null
  return (
    <Dialog
      open
      onClose={onClose}
      size="md"
      title="Scanner and sound"
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <div aria-live="polite">
          {read === null ? (
            <Notice tone="info" title="Scan any label">
              Nothing is counted while this is open.
            </Notice>
          ) : (
            <Notice tone="good" title={`Read: ${read.code}`}>
              {match === null
                ? 'No match for this code.'
                : match.by === 'upc'
                  ? 'That’s a UPC. Scan the store tag to count the frame.'
                  : `${match.frame.brand_name} ${match.frame.title_product}`}
              {read.raw !== read.code && ' The scanner adds extra characters; the app removes them.'}
            </Notice>
          )}
        </div>
        <Switch label="Sound" checked={!settings.muted} onChange={(on) => sound.set({ muted: !on })} />
        <label className="flex min-h-target items-center gap-4">
          <Volume2 size={20} aria-hidden />
          <span className="sr-only">Volume</span>
          <input
            type="range"
            min={0.1}
            max={1}
            step={0.1}
            value={settings.volume}
            disabled={settings.muted}
            onChange={(event) => sound.set({ volume: Number(event.target.value) })}
            className="h-target flex-1 accent-accent"
          />
        </label>
        <div>
          <p className="mb-1 text-sm font-medium text-ink-2">Play each sound</p>
          <div className="flex flex-wrap gap-2">
            {scanOutcomes.map((outcome) => {
              const look = outcomeLooks[outcome]
              const Icon = look.icon
              return (
                <Button
                  key={outcome}
                  icon={<Icon size={18} aria-hidden />}
                  onClick={() => {
                    void sound.open().then(() => sound.play(outcome))
                    shake(outcome)
                  }}
                >
                  {look.word}
                </Button>
              )
            })}
          </div>
        </div>
        <p className="text-sm text-ink-2">{wakeWords[wake]}</p>
        <p className="text-sm text-ink-2">
          Barcode commands for a wall card: <code className="figures">CMD:UNDO</code> undoes the last scan,{' '}
          <code className="figures">CMD:PAUSE</code> pauses and resumes.
        </p>
      </div>
    </Dialog>
  )
}
