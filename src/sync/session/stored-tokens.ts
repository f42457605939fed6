/** The specification's keys for the tokens in local storage. The session's row in the database is what counts. */
export const accessKey = 'AccessToken'
export const refreshKey = 'RefreshToken'
/** The serial of the row that local storage last agreed with. */
export const serialKey = 'SessionSerial'
/** The channel on which a window tells the others that the session has changed. */
export const sessionChannel = 'lorgnette-session'

/**
 * Guesses before the device is open whether a user is signed in. A browser that was killed may not have written it
 * down: then the device says so when it is open.
 */
export function seemsSignedIn(): boolean {
  try {
    return localStorage.getItem(refreshKey) !== null
  } catch {
    // Storage is forbidden here. The device tells the user.
    return false
  }
}

/** Removes the tokens at once. A device that finds them gone ends the session. */
export function takeTokensAway(): void {
  try {
    localStorage.removeItem(accessKey)
    localStorage.removeItem(refreshKey)
  } catch {
    // As above.
  }
}

const placeKey = 'PatientsPlace'

/**
 * The name of the database that last kept patients on this device: a guess, so that it can be opened early. Null once
 * the tablet was locked or its user has left.
 */
export function guessedPatientsPlace(): string | null {
  return localStorage.getItem(placeKey)
}

export function rememberPatientsPlace(storage: Pick<Storage, 'setItem'> | null, name: string): void {
  try {
    storage?.setItem(placeKey, name)
  } catch {
    // Full, or forbidden: then there is no guess.
  }
}

export function forgetPatientsPlace(storage: Pick<Storage, 'removeItem'> | null): void {
  try {
    storage?.removeItem(placeKey)
  } catch {
    // Forbidden: then there is nothing to remove.
  }
}
