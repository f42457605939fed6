import { CameraOff, Flashlight, RotateCw, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import type { Camera } from './camera.ts'
import { useCameraScans, type CameraView } from './use-camera-scans.ts'

export type CameraPanelProps = {
  /** Whether a code is in the catalog: then one picture of it is enough. */
  isKnown: (code: string) => boolean
  /** Called once for each label before the camera. */
  onScan: (code: string) => void
  onClose: () => void
}

/** The camera as a scanner while it is on the screen: its picture, its light and its zoom. */
export function CameraPanel({ isKnown, onScan, onClose }: CameraPanelProps) {
  const [last, setLast] = useState<string | null>(null)
  const { view, attach, again } = useCameraScans(isKnown, (code) => {
    setLast(code)
    onScan(code)
  })
  return (
    <section aria-label="Camera" className="relative h-48 shrink-0 overflow-hidden rounded-lg border border-line bg-sunken">
      {view.state === 'opening' && (
        <div className="flex h-full items-center justify-center gap-2 text-ink-2">
          <Spinner /> Opening the camera…
        </div>
      )}
      {view.state === 'problem' && <Problem problem={view.problem} onAgain={again} />}
      {view.state === 'running' && <Picture camera={view.camera} attach={attach} />}
      <p role="status" className="absolute inset-x-0 bottom-0 truncate bg-raised/90 px-3 py-1 text-sm empty:hidden">
        {view.state === 'running' && (last === null ? 'Hold the label in front of the camera.' : `Read: ${last}`)}
      </p>
      <div className="absolute top-1 right-1 rounded-md bg-raised/90">
        <IconButton label="Close the camera" icon={<X size={20} aria-hidden />} onClick={onClose} />
      </div>
    </section>
  )
}

function Picture({ camera, attach }: { camera: Camera; attach: (video: HTMLVideoElement | null) => void }) {
  const video = useRef<HTMLVideoElement | null>(null)
  const [torch, setTorch] = useState(false)
  const [zoom, setZoom] = useState(camera.zoom?.now ?? 1)
  useEffect(() => {
    const element = video.current
    if (!element) return
    element.srcObject = camera.stream
    attach(element)
    // A browser that blocks autoplay shows a still picture. The next press anywhere starts the video.
    element.play().catch(() => undefined)
    return () => {
      attach(null)
      element.srcObject = null
    }
  }, [camera, attach])
  return (
    <>
      <video ref={video} muted playsInline aria-label="Camera view" className="size-full object-cover" />
      <div aria-hidden className="pointer-events-none absolute inset-x-[12%] top-1/2 h-0.5 -translate-y-1/2 bg-brass" />
      <div className="absolute top-1 left-1 flex items-center rounded-md bg-raised/90">
        {camera.hasTorch && (
          <IconButton
            label={torch ? 'Turn the light off' : 'Turn the light on'}
            icon={<Flashlight size={20} aria-hidden />}
            pressed={torch}
            onClick={() => void camera.setTorch(!torch).then((done) => done && setTorch(!torch))}
          />
        )}
        {camera.zoom && (
          <label className="flex h-target items-center gap-2 px-3 text-sm">
            Zoom
            <input
              type="range"
              className="h-target w-28 accent-accent"
              min={camera.zoom.min}
              max={camera.zoom.max}
              step={camera.zoom.step}
              value={zoom}
              onChange={({ target }) => {
                setZoom(target.valueAsNumber)
                void camera.setZoom(target.valueAsNumber)
              }}
            />
          </label>
        )}
      </div>
    </>
  )
}

type Trouble = Extract<CameraView, { state: 'problem' }>['problem']

const words: Record<Trouble, string> = {
  blocked: 'The camera is blocked for this app. Allow it in the browser’s settings for this site, then try again.',
  none: 'This device has no camera.',
  busy: 'Another app is using the camera. Close it, then try again.',
  lost: 'The camera was turned off or disconnected.',
  unsupported: 'This browser doesn’t let the app use a camera. You can still use a scanner or the keyboard.',
  'decoder-missing': 'The code reader didn’t load. Try again, or reload the page.',
}

function Problem({ problem, onAgain }: { problem: Trouble; onAgain: () => void }) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 px-14 text-center">
      <p role="alert" className="flex items-center gap-2">
        <CameraOff size={20} aria-hidden className="shrink-0" />
        <span>{words[problem]}</span>
      </p>
      {problem !== 'none' && problem !== 'unsupported' && (
        <Button icon={<RotateCw size={18} aria-hidden />} onClick={onAgain}>
          Try again
        </Button>
      )}
    </div>
  )
}
