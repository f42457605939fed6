/** The weight of a route of the built app; sizes in bytes after gzip. */
export type Weight = {
  name: string
  bytes: number
  /** The parts that load right after it, while nothing waits. */
  bytesSoon: number
  limit: number
  goal: number
  /** Heavy libraries that are fetched before anyone needs them. */
  tooEarly: string[]
  largest: [file: string, bytes: number][]
}

/** @param folder the built app. @throws when a screen of the table is in no chunk. */
export function weigh(folder: string, maps?: string): Weight[]

/** The addresses of the app's parts that its worker does not keep. @param folder the built app. */
export function missingOffline(folder: string): string[]
