/**
 * Where files lie. Keys are made by the server and never hold anything that came from outside; what was put under one is whole or not
 * there at all, also when the power goes in the middle.
 */
export type Storage = {
  /** Keeps `size` bytes under the key, in place of what was there. Resolves when they are kept for good. */
  put(key: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void>
  /** Null when nothing is there. */
  get(key: string): Promise<ReadableStream<Uint8Array> | null>
  /** Nothing there is fine. */
  delete(key: string): Promise<void>
}

/** Throws for a key that no code of ours makes. */
export function assertKey(key: string): void {
  if (!/^[a-z0-9-]{1,64}(\/[a-z0-9-]{1,64}){0,3}$/.test(key)) throw new Error('not a key of the storage')
}

/** Bytes that are all there already, as a stream. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** A stream that brought more or fewer bytes than was said is not kept. */
export async function* exactly(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let seen = 0
  for await (const chunk of bytes) {
    seen += chunk.byteLength
    if (seen > size) break
    yield chunk
  }
  if (seen !== size) throw new Error('a file of another size than was said')
}
