/** Where the specification keeps the tokens in local storage. The session's row in the database is what counts. */
export const accessKey = 'AccessToken'
export const refreshKey = 'RefreshToken'
/** The serial of the row that local storage was last made to agree with. */
export const serialKey = 'SessionSerial'
/** The channel on which a window tells the others that the session is another now. */
export const sessionChannel = 'lorgnette-session'

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

const placeKey = 'PatientsPlace'

/**
 * The name of the database in which patients were kept last on this device: a guess, so that it can be opened before that is worked out.
 * Null once the tablet was locked or its person has gone.
 */
export function guessedPatientsPlace(): string | null {
  return localStorage.getItem(placeKey)
}

export function rememberPatientsPlace(storage: Pick<Storage, 'setItem'> | null, name: string): void {
  try {
    storage?.setItem(placeKey, name)
  } catch {
    // Full, or forbidden: then nobody guesses.
  }
}

export function forgetPatientsPlace(storage: Pick<Storage, 'removeItem'> | null): void {
  try {
    storage?.removeItem(placeKey)
  } catch {
    // Forbidden: then there is none.
  }
}
