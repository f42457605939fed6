export type ImageLimits = {
  /** Longer side, in pixels. */
  longest: number
  mostBytes: number
}

/** The size at which to draw an image: its own, or smaller so that the longer side is at most `longest`. */
export function scaledSize(width: number, height: number, longest: number): { width: number; height: number } {
  const factor = Math.min(1, longest / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
}

const qualities = [0.85, 0.7, 0.5]

/**
 * Returns an image as a JPEG within limits. Drawing it on a canvas scales it down and removes the place where it was
 * taken.
 *
 * @throws Error in a person's words, when this device cannot read the file as an image
 */
export async function scaleImage(file: Blob, { longest, mostBytes }: ImageLimits): Promise<Uint8Array> {
  const image = await createImageBitmap(file).catch(() => {
    throw new Error('This device can’t read this file as an image')
  })
  try {
    const { width, height } = scaledSize(image.width, image.height, longest)
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This device doesn’t have enough memory to prepare the photo')
    // Transparent pixels would become black.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, width, height)
    context.drawImage(image, 0, 0, width, height)
    for (const quality of qualities) {
      const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
      if (drawn && drawn.size <= mostBytes) return new Uint8Array(await drawn.arrayBuffer())
    }
    throw new Error('Couldn’t make the photo small enough')
  } finally {
    image.close()
  }
}

/** Bytes as base64, in parts: a function call takes only so many arguments. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(binary)
}

export function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}
