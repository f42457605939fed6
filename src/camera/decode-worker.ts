import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { loadDecoder, readCodes } from './read-codes.ts'

/** To the worker: one picture. From it: its codes, or that the decoder cannot be had. */
export type DecodeAnswer = { codes: string[] } | { problem: 'decoder-missing' }

const ready = loadDecoder({ locateFile: () => wasmUrl })

self.addEventListener('message', ({ data }: MessageEvent<ImageData>) => {
  void answer(data).then((told) => self.postMessage(told))
})

async function answer(picture: ImageData): Promise<DecodeAnswer> {
  try {
    await ready
  } catch {
    return { problem: 'decoder-missing' }
  }
  return { codes: await readCodes(picture) }
}
