/** Where the specification keeps the tokens in local storage. The session's row in the database is what counts. */
export const accessKey = 'AccessToken'
export const refreshKey = 'RefreshToken'

/**
 * Whether someone seems to be signed in, as far as can be told before the device is open. A browser that was killed may
 * not have written it down: then the device says so when it is open.
 */
export function seemsSignedIn(): boolean {
  try {
    return localStorage.getItem(refreshKey) !== null
  } catch {
    // Storage is forbidden here. The device tells the person.
    return false
  }
}

/** Takes the tokens away at once. A device that finds them gone ends the session. */
export function takeTokensAway(): void {
  try {
    localStorage.removeItem(accessKey)
    localStorage.removeItem(refreshKey)
  } catch {
    // As above.
  }
}
