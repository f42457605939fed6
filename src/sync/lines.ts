import { pause, type Environment } from '#src/sync/environment.ts'

/**
 * The lines of a streamed body as they arrive. Ends at the end of the stream; throws when it is cut, or when nothing
 * came for `idleMs`.
 */
export async function* linesOf(environment: Environment, response: Response, idleMs: number): AsyncGenerator<string> {
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
          throw new Error('The connection went silent')
        }),
      ]).finally(() => given.abort())
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
