import { ownScript } from '#src/device/own-script.ts'
import type { DecodeAnswer } from './decode-worker.ts'
// oxlint-disable-next-line import/default -- the bundler makes it: the address of the worker that it built
import workerAddress from './decode-worker.ts?worker&url'

export type Decoder = {
  /** The codes in a picture. The call takes the pixels away from the caller. @throws DecoderMissing */
  read(picture: ImageData): Promise<string[]>
  close(): void
}

/** The decoder could not be loaded, or has failed. */
export class DecoderMissing extends Error {
  constructor() {
    super('The code reader didn’t load')
    this.name = 'DecoderMissing'
  }
}

/** Reads pictures in a thread of its own, one at a time, so that the page stays fast. */
export function createDecoder(): Decoder {
  const worker = new Worker(ownScript(workerAddress), { type: 'module' })
  let waiting: { resolve: (codes: string[]) => void; reject: (error: unknown) => void } | null = null
  const settle = (answer: DecodeAnswer) => {
    if ('codes' in answer) waiting?.resolve(answer.codes)
    else waiting?.reject(new DecoderMissing())
    waiting = null
  }
  worker.addEventListener('message', ({ data }: MessageEvent<DecodeAnswer>) => settle(data))
  worker.addEventListener('error', () => settle({ problem: 'decoder-missing' }))
  return {
    read(picture) {
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        worker.postMessage(picture, [picture.data.buffer])
      })
    },
    close() {
      worker.terminate()
      waiting?.reject(new DecoderMissing())
      waiting = null
    },
  }
}
