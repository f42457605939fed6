import { deliverKeys, holdKeys } from './early-keys.ts'
import { createScanner, type Scanner } from './scanner.ts'

let scanner: Scanner | null = null

/**
 * The one scanner of this page. The latest subscriber gets the scans. Without a subscriber, keys are left alone.
 *
 * @param clean returns the code in the raw text of a label; used from the first caller only
 */
export function pageScanner(clean?: (raw: string) => string): Scanner {
  scanner ??= createScanner({ target: window, ...(clean && { clean }) })
  return scanner
}

const listening = () => (scanner?.isHeard() ? scanner : null)

/** Gives the page the text and scans that came before it could take them. */
export function takeEarlyKeys(): void {
  deliverKeys(listening)
}

/** Holds text and scans from now on for the dialog that the user just asked for. */
export function keepKeysForDialog(): void {
  holdKeys(listening)
}
