import fs from 'node:fs'

/** Removes the folder of a browser or a server. One of their processes may still be writing into it. */
export function removeFolder(folder: string): void {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
}
