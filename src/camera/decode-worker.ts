import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { loadDecoder, readCodes } from './read-codes.ts'

/** The worker gets one picture. It answers with the codes, or says that the decoder did not load. */
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
