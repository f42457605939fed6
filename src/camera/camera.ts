/** Why there is no picture. */
export type CameraProblem = 'blocked' | 'none' | 'busy' | 'unsupported' | 'lost'

/** A running camera. */
export type Camera = {
  stream: MediaStream
  /** Whether it has a light to turn on. */
  hasTorch: boolean
  /** Null when it cannot zoom. */
  zoom: { min: number; max: number; step: number; now: number } | null
  /** @returns true when the camera did it */
  setTorch(on: boolean): Promise<boolean>
  setZoom(zoom: number): Promise<boolean>
  close(): void
}

export type OpenedCamera = { camera: Camera } | { problem: CameraProblem }

/** TypeScript's own types lack these: browsers have them on phones and tablets only. */
type Extras = { torch?: boolean; zoom?: { min: number; max: number; step?: number } }

/** Opens the camera at the back if there are two. The browser asks the user the first time. */
export async function openCamera(): Promise<OpenedCamera> {
  // Old browsers have no camera API, and hide it from pages without https.
  const devices = (navigator as { mediaDevices?: MediaDevices }).mediaDevices
  if (!devices?.getUserMedia) return { problem: 'unsupported' }
  let stream: MediaStream
  try {
    stream = await devices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } },
    })
  } catch (error) {
    return { problem: problemOf(error) }
  }
  const [track] = stream.getVideoTracks()
  if (!track) return { problem: 'none' }
  const extras = (track.getCapabilities?.() ?? {}) as Extras
  const { zoom } = extras
  const ask = async (wanted: object): Promise<boolean> => {
    try {
      await track.applyConstraints({ advanced: [wanted] } as MediaTrackConstraints)
      return true
    } catch {
      return false
    }
  }
  return {
    camera: {
      stream,
      hasTorch: extras.torch === true,
      zoom: zoom && zoom.max > zoom.min ? { min: zoom.min, max: zoom.max, step: zoom.step ?? 0.1, now: zoomOf(track) ?? zoom.min } : null,
      setTorch: (torch) => ask({ torch }),
      setZoom: (to) => ask({ zoom: to }),
      close: () => {
        for (const each of stream.getTracks()) each.stop()
      },
    },
  }
}

function zoomOf(track: MediaStreamTrack): number | undefined {
  return (track.getSettings() as { zoom?: number }).zoom
}

function problemOf(error: unknown): CameraProblem {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'blocked'
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'none'
    case 'NotReadableError':
    case 'AbortError':
      return 'busy'
    default:
      return 'unsupported'
  }
}
