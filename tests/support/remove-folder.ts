import fs from 'node:fs'

/** Removes a folder that a browser or a server had: one of their processes may still be writing its last into it. */
export function removeFolder(folder: string): void {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
}
