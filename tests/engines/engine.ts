import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import fs from 'node:fs'

/** A browser engine for the offline path: whether it is installed, and windows on a profile that survives a kill. */
export type Engine = {
  name: string
  /** The installed version, or the Debian packages that are missing. */
  find(): { version: string } | { missing: string }
  /** Starts the browser on a profile: an empty folder, or that of an earlier browser. */
  open(profile: string): Promise<EngineWindow>
}

/** A user's actions in a browser, and a look into its page. */
export type EngineWindow = {
  /** Types the address and Enter. */
  goto(url: string): Promise<void>
  reload(): Promise<void>
  /** Types into the focused element. */
  type(text: string): Promise<void>
  /** Scans with a wedge scanner: all characters as fast as the engine takes keys, and Enter. */
  scan(code: string): Promise<void>
  /** Presses a point, in CSS pixels of the viewport. */
  press(x: number, y: number): Promise<void>
  /** Runs a function in the page. Its source must not use outer variables. Argument and result pass as JSON. */
  evaluate<Result, Argument>(look: (argument: Argument) => Result | Promise<Result>, argument: Argument): Promise<Result>
  /** Sends SIGKILL to the browser and all its processes, as when the battery dies. */
  kill(): Promise<void>
  /** Ends the browser. */
  close(): Promise<void>
}

/** Returns the first line that a command prints, or null when it is missing or fails. */
export function printedBy(command: string, args: string[]): string | null {
  if (!fs.existsSync(command)) return null
  try {
    return (
      execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 30_000 })
        .trim()
        .split('\n')[0] ?? ''
    )
  } catch {
    return null
  }
}

export type Started = {
  child: ChildProcess
  /** Sends SIGKILL to the process and its children. Resolves when all are gone. */
  kill(): Promise<void>
}

/** Starts a process that ends with this one. */
export function start(command: string, args: string[], options: SpawnOptions): Started {
  const child = spawn(command, args, options)
  const { pid } = child
  if (pid === undefined) throw new Error(`${command} could not be started`)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const endWithRun = () => void killWithChildren(pid)
  process.once('exit', endWithRun)
  return {
    child,
    async kill() {
      process.removeListener('exit', endWithRun)
      await killWithChildren(pid)
      await ended
    },
  }
}

async function killWithChildren(pid: number): Promise<void> {
  const all = [pid, ...childrenOf(pid)]
  for (const one of all) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // It ended together with its parent.
    }
  }
  const deadline = Date.now() + 10_000
  while (all.some(isRunning)) {
    if (Date.now() > deadline) throw new Error(`Killed, and still running: ${all.filter(isRunning).join(', ')}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Returns the state and the parent of a process, or null when there is none. */
function statusOf(pid: number): { state: string; parent: number } | null {
  try {
    // The name in parentheses may contain spaces and parentheses.
    const [state = '', parent = ''] = fs
      .readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { state, parent: Number(parent) }
  } catch {
    return null
  }
}

function childrenOf(pid: number): number[] {
  const processes = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  const children = processes.filter((candidate) => statusOf(candidate)?.parent === pid)
  return children.flatMap((child) => [child, ...childrenOf(child)])
}

/** A zombie no longer runs. Its parent just has not read its exit code. */
function isRunning(pid: number): boolean {
  const status = statusOf(pid)
  return status !== null && status.state !== 'Z'
}
