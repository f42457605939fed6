import fs from 'node:fs'

/** The use of a process so far: CPU in seconds, resident memory in MB. */
export type Usage = { cpuSeconds: number; residentMB: number }

/** Linux counts CPU in hundredths of a second, for every tick of the kernel. */
const ticksPerSecond = 100

/** Returns null where the system does not say (only Linux does, in /proc) or the process is gone. */
export function usageOf(pid: number): Usage | null {
  try {
    const fields = afterName(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))
    const resident = /^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    // User and system time, the 14th and 15th field of the line.
    return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond, residentMB: Number(resident) / 1024 }
  } catch {
    return null
  }
}

/** CPU seconds of a process and its running children, such as PostgreSQL's one process a connection. */
export function cpuOfFamily(pid: number): number | null {
  const own = usageOf(pid)
  if (!own) return null
  let children: number[] = []
  try {
    children = fs.readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) && parentOf(Number(name)) === pid ? [Number(name)] : []))
  } catch {
    return null
  }
  return children.reduce((sum, child) => sum + (usageOf(child)?.cpuSeconds ?? 0), own.cpuSeconds)
}

function parentOf(pid: number): number | null {
  try {
    return Number(afterName(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))[1])
  } catch {
    return null
  }
}

/** The fields from the third on; the name before them may hold spaces and brackets. */
function afterName(line: string): string[] {
  return line.slice(line.lastIndexOf(')') + 2).split(' ')
}

/** Resident memory of a process, once a second. */
export class MemoryWatch {
  readonly samples: { second: number; residentMB: number }[] = []
  readonly #timer: NodeJS.Timeout

  constructor(pid: number) {
    const began = performance.now()
    const look = () => {
      const usage = usageOf(pid)
      if (usage) this.samples.push({ second: (performance.now() - began) / 1000, residentMB: usage.residentMB })
    }
    look()
    this.#timer = setInterval(look, 1000)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  peak(): number {
    return Math.max(...this.samples.map(({ residentMB }) => residentMB))
  }

  /** The memory at a second; the nearest sample before it. */
  at(second: number): number {
    return this.samples.findLast((sample) => sample.second <= second)?.residentMB ?? Number.NaN
  }
}
