import { pause, type Environment } from '#src/sync/device/environment.ts'

/** The connection was lost in the middle of a stream, or fell silent. */
export class StreamCut extends Error {
  constructor(cause?: unknown) {
    super('The stream was cut', { cause })
    this.name = 'StreamCut'
  }
}

/**
 * Yields the lines of a streamed body as they arrive, until the stream ends.
 * @throws StreamCut when the stream is cut, or nothing comes for `idleMs`
 */
export async function* linesOf(environment: Pick<Environment, 'schedule'>, response: Response, idleMs: number): AsyncGenerator<string> {
  const reader = response.body?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const given = new AbortController()
      const part = await Promise.race([
        reader.read(),
        pause(environment, idleMs, given.signal).then(() => {
          if (given.signal.aborted) return new Promise<never>(() => {})
          throw new StreamCut()
        }),
      ])
        .catch((error: unknown) => {
          throw error instanceof StreamCut ? error : new StreamCut(error)
        })
        .finally(() => given.abort())
      rest += decoder.decode(part.value, { stream: !part.done })
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      yield* lines
      if (part.done) {
        if (rest !== '') yield rest
        return
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
