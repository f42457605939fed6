import { deliverKeys, holdKeys } from './early-keys.ts'
import { createScanner, type Scanner } from './scanner.ts'

let scanner: Scanner | null = null

/**
 * The one scanner of this page. Whoever subscribed last gets the scans; with no subscriber, keys are left alone.
 *
 * @param clean used by the first caller only: what a label says of what was read
 */
export function pageScanner(clean?: (raw: string) => string): Scanner {
  scanner ??= createScanner({ target: window, ...(clean && { clean }) })
  return scanner
}

const listening = () => (scanner?.isHeard() ? scanner : null)

/** Gives the page what was typed and scanned before it could take it. */
export function takeEarlyKeys(): void {
  deliverKeys(listening)
}

/** What is typed and scanned from now on is for the dialog that was just asked for. */
export function keepKeysForDialog(): void {
  holdKeys(listening)
}
