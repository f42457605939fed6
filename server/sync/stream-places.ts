import type { Database } from '#server/platform/db/database.ts'

/** A tablet keeps one stream of events open; a few more are those of connections that it has lost. */
export const mostStreamsEach = 4
/** Of one person, on all tablets. */
export const mostStreamsOfPerson = 40

type Stream = { key: string; end: () => void }

/** Streams of events that are open, oldest first. One too many ends the oldest: it is the one that nobody listens to any more. */
class StreamPlaces {
  readonly #streams = new Map<string, Set<Stream>>()

  /** @returns is called when the stream has ended */
  open(places: readonly { key: string; most: number }[], end: () => void): () => void {
    const opened = places.map(({ key, most }) => {
      const stream = { key, end }
      const others = this.#streams.get(key) ?? new Set<Stream>()
      this.#streams.set(key, others.add(stream))
      const [oldest] = others
      if (others.size > most) oldest?.end()
      return stream
    })
    return () => {
      for (const stream of opened) {
        const left = this.#streams.get(stream.key)
        left?.delete(stream)
        if (left?.size === 0) this.#streams.delete(stream.key)
      }
    }
  }
}

const places = new WeakMap<Database, StreamPlaces>()

export function streamPlacesOf(db: Database): StreamPlaces {
  const known = places.get(db)
  if (known) return known
  const made = new StreamPlaces()
  places.set(db, made)
  return made
}
