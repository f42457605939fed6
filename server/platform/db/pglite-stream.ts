import { Duplex } from 'node:stream'

/** One request of the PostgreSQL wire protocol, and everything that the database answers to it. */
type Exchange = (bytes: Uint8Array) => Promise<Uint8Array>

/** A connection for `pg`: what is written to it is answered by `exchange`. */
export function pgliteStream(exchange: Exchange): Duplex {
  return new PgliteStream(exchange)
}

const terminate = 0x58
/** AuthenticationOk and ReadyForQuery: the database in the thread asks nobody who they are. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

/** Looks like a socket to `pg`. */
class PgliteStream extends Duplex {
  readonly #exchange: Exchange
  #greeted = false

  constructor(exchange: Exchange) {
    super()
    this.#exchange = exchange
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'))
    return this
  }
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (!this.#greeted) {
      this.#greeted = true
      this.push(welcome)
      return done()
    }
    if (chunk[0] === terminate) {
      this.push(null)
      return done()
    }
    void this.#answer(chunk, done)
  }

  async #answer(chunk: Buffer, done: (error?: Error | null) => void): Promise<void> {
    let fault: Error | null = null
    try {
      const answer = await this.#exchange(new Uint8Array(chunk))
      if (answer.length > 0) this.push(Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength))
    } catch (error) {
      fault = error instanceof Error ? error : new Error(String(error))
    }
    done(fault)
  }

  override _writev(chunks: { chunk: Buffer; encoding: BufferEncoding }[], done: (error?: Error | null) => void): void {
    this._write(Buffer.concat(chunks.map((item) => item.chunk)), 'binary', done)
  }
}
