import { Camera, ImageUp } from 'lucide-react'
import { useRef, type ChangeEvent, type ReactNode } from 'react'
import { Button } from '#src/ui/button.tsx'

/** Two ways to a photo, the camera and a file of this device, and other buttons beside them. */
export function PhotoButtons({
  label,
  busy,
  disabled = false,
  onPhoto,
  children,
}: {
  /** Names the thing in the photo, for screen readers. */
  label: string
  busy: boolean
  disabled?: boolean
  onPhoto: (photo: File) => void
  children?: ReactNode
}) {
  const camera = useRef<HTMLInputElement>(null)
  const file = useRef<HTMLInputElement>(null)

  function take(event: ChangeEvent<HTMLInputElement>) {
    const [chosen] = event.target.files ?? []
    // Lets the user choose the same file again.
    event.target.value = ''
    if (chosen) onPhoto(chosen)
  }

  return (
    <div className="flex flex-wrap gap-2">
      <Button busy={busy} disabled={disabled} icon={<Camera size={18} aria-hidden />} onClick={() => camera.current?.click()}>
        Camera
      </Button>
      <Button busy={busy} disabled={disabled} icon={<ImageUp size={18} aria-hidden />} onClick={() => file.current?.click()}>
        File
      </Button>
      {children}
      <input ref={camera} type="file" accept="image/*" capture="environment" hidden aria-label={`${label}: camera`} onChange={take} />
      <input ref={file} type="file" accept="image/*" hidden aria-label={`${label}: file`} onChange={take} />
    </div>
  )
}
