/** The first files of each page in the build. The build makes it from the tree of routes. */
export type RouteChunks = {
  files: readonly string[]
  /** Positions in `files`: of the login screen, and of the app on any page. */
  login: readonly number[]
  app: readonly number[]
  /**
   * Patterns as in the tree of routes, the narrower one first. Each has the positions of the page's files beside the
   * app's.
   */
  pages: readonly (readonly [pattern: string, files: readonly number[]])[]
}

/** Returns the first files of the page at an address. */
export function filesAt(chunks: RouteChunks, pathname: string, isInside: boolean): string[] {
  const page = chunks.pages.find(([pattern]) => isAt(pattern, pathname))
  const places = isInside ? [...chunks.app, ...(page?.[1] ?? [])] : chunks.login
  return places.flatMap((place) => chunks.files[place] ?? [])
}

function isAt(pattern: string, pathname: string): boolean {
  const [wanted, given] = [pattern, pathname].map((address) => address.split('/').filter(Boolean))
  if (!wanted || !given) return false
  const isOpen = wanted.at(-1) === '$'
  if (isOpen ? given.length < wanted.length - 1 : given.length !== wanted.length) return false
  return wanted.every((part, at) => part.startsWith('$') || part === given[at])
}
