import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'

/** Thrown when another process works in the folder. */
export class FolderInUse extends Error {
  constructor(folder: string, pid: number) {
    super(`The database in ${folder} is in use by process ${pid}. Only one server may work in one data folder.`)
    this.name = 'FolderInUse'
  }
}

/**
 * Keeps other processes out of a folder by a file beside it with our process id and start time; PGlite takes no lock
 * of its own, and two processes in one folder destroy it. What a killed process left is taken over.
 * Returns the function that gives the folder free.
 */
export function lockFolder(folder: string): () => void {
  const lockFile = `${folder}.lock`
  const own = `${process.pid} ${startTimeOf(process.pid)}`
  const draft = `${lockFile}.${randomUUID()}`
  writeFileSync(draft, own, { mode: 0o600 })
  try {
    for (let round = 0; round < 5; round++) {
      try {
        // A hard link appears with its content in one step, and only if no such file is there.
        linkSync(draft, lockFile)
        const release = () => {
          process.off('exit', release)
          if (read(lockFile) === own) rmSync(lockFile, { force: true })
        }
        process.on('exit', release)
        return release
      } catch (error) {
        if (!isFault(error, 'EEXIST')) throw error
        const found = read(lockFile)
        if (found === null) continue
        const holder = liveHolder(found)
        if (holder !== null) throw new FolderInUse(folder, holder)
        moveAside(lockFile, found)
      }
    }
    throw new Error(`The folder ${folder} could not be locked`)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Removes what a dead process left; puts it back when it turns out to be someone's who came in between. */
function moveAside(lockFile: string, stale: string): void {
  const aside = `${lockFile}.${randomUUID()}`
  try {
    renameSync(lockFile, aside)
  } catch (error) {
    if (isFault(error, 'ENOENT')) return
    throw error
  }
  try {
    if (read(aside) !== stale) linkSync(aside, lockFile)
  } finally {
    rmSync(aside, { force: true })
  }
}

function liveHolder(content: string): number | null {
  const [pidText = '', startTime = ''] = content.split(' ')
  const pid = Number(pidText)
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return null
  // A new process may have been given the number of the one that died.
  return startTimeOf(pid) === startTime ? pid : null
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isFault(error, 'EPERM')
  }
}

/** Start of a process in ticks since boot; `ended` for one that died and still waits for its parent; empty where the system does not tell. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name in brackets and may hold anything; the state is the 3rd, the start time the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : (fields[19] ?? '')
  } catch {
    return ''
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isFault(error, 'ENOENT')) return null
    throw error
  }
}

function isFault(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
