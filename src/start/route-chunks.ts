/** The files of the build that pages begin with. The build makes it from the tree of routes. */
export type RouteChunks = {
  files: readonly string[]
  /** Places in `files`: of the login screen, and of the app on any page. */
  login: readonly number[]
  app: readonly number[]
  /** Patterns as in the tree of routes, the narrower one first, and the places of what that page needs beside the app. */
  pages: readonly (readonly [pattern: string, files: readonly number[]])[]
}

/** Returns the files that the page at an address begins with. */
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
