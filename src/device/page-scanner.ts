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
