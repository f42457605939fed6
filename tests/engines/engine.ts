import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import fs from 'node:fs'

/** A browser engine, as far as the offline path needs one: installed or not, and windows on a profile that stays. */
export type Engine = {
  name: string
  /** The installed version, or which of Debian's packages bring what is missing here. */
  find(): { version: string } | { missing: string }
  /** Starts the browser on a profile: an empty folder, or what an earlier browser left in it. */
  open(profile: string): Promise<EngineWindow>
}

/** What a person does with a browser, and what they see. */
export type EngineWindow = {
  /** Into the address bar, and Enter. */
  goto(url: string): Promise<void>
  reload(): Promise<void>
  /** Types into whatever has the focus. */
  type(text: string): Promise<void>
  /** Pulls the trigger of a wedge scanner: all characters as quickly as the engine takes keys, and Enter. */
  scan(code: string): Promise<void>
  /** Presses at a place, in CSS pixels of the viewport. */
  press(x: number, y: number): Promise<void>
  /** Runs a function in the page, whose source must stand alone; argument and result go through JSON. */
  evaluate<Result, Argument>(look: (argument: Argument) => Result | Promise<Result>, argument: Argument): Promise<Result>
  /** SIGKILL to the browser and all of its processes, as when the battery dies. */
  kill(): Promise<void>
  /** Ends it by whatever means. */
  close(): Promise<void>
}

/** What a command prints on its first line; null when it is not there or fails. */
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
  /** SIGKILL to it and everything it started; resolves when all of them are gone. */
  kill(): Promise<void>
}

/** Starts a process that does not outlive this one. */
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
      // It ended with the one that started it.
    }
  }
  const deadline = Date.now() + 10_000
  while (all.some(isRunning)) {
    if (Date.now() > deadline) throw new Error(`Killed, and still running: ${all.filter(isRunning).join(', ')}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** State and parent of a process; null when there is none. */
function statusOf(pid: number): { state: string; parent: number } | null {
  try {
    // The name in brackets may hold anything, also blanks and brackets.
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

/** A zombie runs no more: whoever started it has not heard yet. */
function isRunning(pid: number): boolean {
  const status = statusOf(pid)
  return status !== null && status.state !== 'Z'
}
