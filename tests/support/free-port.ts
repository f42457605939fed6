import net from 'node:net'

/**
 * These ports are below the range for outgoing connections, so nothing takes the port of a server that restarts. Each
 * worker of a run has its own range, and each process starts at another place in it.
 */
const firstPort = 20_000
const portsPerWorker = 3_000
const worker = Number(process.env['VITEST_POOL_ID'] ?? '0') % 4
let next = process.pid % portsPerWorker

/** Returns a free port that this process has not used before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < portsPerWorker; tries++) {
    next = (next + 1) % portsPerWorker
    const port = firstPort + worker * portsPerWorker + next
    if (await isFree(port)) return port
  }
  throw new Error('No port is free')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, () => probe.close(() => resolve(true)))
  })
}
