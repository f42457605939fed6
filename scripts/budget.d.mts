/** What a route of the built app weighs; sizes in bytes after gzip. */
export type Weight = {
  name: string
  bytes: number
  /** What comes by itself right after it, while nothing is waited for. */
  bytesSoon: number
  limit: number
  goal: number
  /** Heavy libraries that are fetched before anyone needs them. */
  tooEarly: string[]
  largest: [file: string, bytes: number][]
}

/** @param folder the built app. @throws when a screen that is to be weighed is in no chunk. */
export function weigh(folder: string, maps?: string): Weight[]

/** The addresses of the app's parts that its worker does not keep. @param folder the built app. */
export function missingOffline(folder: string): string[]
