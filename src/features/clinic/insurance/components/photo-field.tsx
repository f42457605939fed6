import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { toBase64 } from '#src/device/scale-image.ts'
import { Button } from '#src/ui/button.tsx'
import { PhotoButtons } from '#src/ui/forms/photo-buttons.tsx'
import { scalePhoto } from '../model/scale-photo.ts'

/** A photo of one side of the card, from the camera or a file. This device scales it down before it is sent. */
export function PhotoField({
  label,
  photo,
  isKept,
  error,
  onChange,
}: {
  label: string
  /** The form's value: base64, null to remove the photo, undefined to keep the server's. */
  photo: string | null | undefined
  /** True when the server has a photo. */
  isKept: boolean
  error: string | undefined
  onChange: (photo: string | null | undefined) => void
}) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const id = useId()

  async function take(chosen: File) {
    setProblem(null)
    setBusy(true)
    try {
      onChange(toBase64(await scalePhoto(chosen)))
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : 'Couldn’t read the photo')
    } finally {
      setBusy(false)
    }
  }

  const words = problem ?? error
  return (
    <div role="group" aria-label={label} aria-describedby={words ? `${id}-error` : undefined} className="flex flex-col gap-2">
      <p className="text-sm font-medium text-ink-2">{label}</p>
      {photo ? (
        <img
          src={`data:image/jpeg;base64,${photo}`}
          alt={label}
          className="max-h-48 self-start rounded-md border border-line object-contain"
        />
      ) : (
        <p className="rounded-md border border-dashed border-line-strong px-4 py-5 text-sm text-ink-2">
          {photo === null ? 'The photo will be removed.' : isKept ? 'There’s a photo on file. A new one replaces it.' : 'No photo yet'}
        </p>
      )}
      <PhotoButtons label={label} busy={isBusy} onPhoto={(chosen) => void take(chosen)}>
        {(photo || (isKept && photo === undefined)) && (
          <Button variant="quiet" icon={<Trash2 size={18} aria-hidden />} onClick={() => onChange(isKept && !photo ? null : undefined)}>
            Remove
          </Button>
        )}
        {photo === null && (
          <Button variant="quiet" onClick={() => onChange(undefined)}>
            Keep it
          </Button>
        )}
      </PhotoButtons>
      {words && (
        <p id={`${id}-error`} role="alert" className="text-sm text-bad">
          {words}
        </p>
      )}
    </div>
  )
}
