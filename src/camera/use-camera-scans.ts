import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createAgreement } from './agreement.ts'
import { openCamera, type Camera, type CameraProblem } from './camera.ts'
import { createDecoder, DecoderMissing } from './decoder.ts'

/** Pause between two pictures, ms: more pictures would only warm the tablet. */
const pauseMs = 80
/** The widest picture for the decoder, in pixels: more pixels add nothing. */
const mostWidth = 1280
/** A picture that does not move for this long has frozen, ms. */
const frozenMs = 4000

export type CameraView =
  | { state: 'opening' }
  | { state: 'running'; camera: Camera }
  | { state: 'problem'; problem: CameraProblem | 'decoder-missing' }

type CameraScans = {
  view: CameraView
  /** For the `video` that shows the picture. */
  attach: (video: HTMLVideoElement | null) => void
  again: () => void
}

/**
 * Runs the camera while the caller is on the screen. It is off while the page is hidden, and on again when the page
 * shows. The hook opens the camera again when its picture freezes.
 *
 * @param isKnown whether a code is in the catalog
 * @param onScan called once for each code that counts
 */
export function useCameraScans(isKnown: (code: string) => boolean, onScan: (code: string) => void): CameraScans {
  const [view, setView] = useState<CameraView>({ state: 'opening' })
  const [round, setRound] = useState(0)
  const video = useRef<HTMLVideoElement | null>(null)
  const known = useEffectEvent(isKnown)
  const scanned = useEffectEvent(onScan)

  useEffect(() => {
    let isOver = false
    let camera: Camera | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    let movedAt = performance.now()
    let shownTime = -1
    const decoder = createDecoder()
    const agreement = createAgreement((code) => known(code))
    const canvas = document.createElement('canvas')
    const pen = canvas.getContext('2d', { willReadFrequently: true })

    const fail = (problem: CameraProblem | 'decoder-missing') => {
      stop()
      if (!isOver) setView({ state: 'problem', problem })
    }
    function stop() {
      clearTimeout(timer)
      camera?.close()
      camera = null
    }
    async function start() {
      stop()
      setView({ state: 'opening' })
      const opened = await openCamera()
      if (isOver || document.hidden) {
        if ('camera' in opened) opened.camera.close()
        return
      }
      if ('problem' in opened) return fail(opened.problem)
      camera = opened.camera
      movedAt = performance.now()
      for (const track of camera.stream.getVideoTracks()) track.addEventListener('ended', () => opened.camera === camera && fail('lost'))
      setView({ state: 'running', camera })
      timer = setTimeout(() => void look(opened.camera), 0)
    }
    async function look(of: Camera) {
      const picture = of === camera ? takePicture() : null
      if (picture) {
        try {
          for (const code of agreement.take(await decoder.read(picture), performance.now())) if (!isOver) scanned(code)
        } catch (error) {
          if (!(error instanceof DecoderMissing)) throw error
          if (!isOver) fail('decoder-missing')
          return
        }
      }
      if (isOver || of !== camera) return
      if (performance.now() - movedAt > frozenMs) return void start()
      timer = setTimeout(() => void look(of), pauseMs)
    }
    function takePicture(): ImageData | null {
      const shown = video.current
      if (!shown || !pen || shown.videoWidth === 0 || shown.currentTime === shownTime) return null
      shownTime = shown.currentTime
      movedAt = performance.now()
      const scale = Math.min(1, mostWidth / shown.videoWidth)
      canvas.width = Math.round(shown.videoWidth * scale)
      canvas.height = Math.round(shown.videoHeight * scale)
      pen.drawImage(shown, 0, 0, canvas.width, canvas.height)
      return pen.getImageData(0, 0, canvas.width, canvas.height)
    }
    // A camera behind another page costs battery, and phones take the camera away from a hidden page.
    const onVisibility = () => (document.hidden ? stop() : void start())

    document.addEventListener('visibilitychange', onVisibility)
    void start()
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', onVisibility)
      stop()
      decoder.close()
    }
  }, [round])

  const attach = useCallback((element: HTMLVideoElement | null) => {
    video.current = element
  }, [])
  const again = useCallback(() => setRound((before) => before + 1), [])
  return { view, attach, again }
}
