import net from 'node:net'

/**
 * Below the ports that systems lend to outgoing connections, so that nothing takes the port of a server that restarts. Each
 * worker of a run has a range of its own, and each process begins elsewhere in it.
 */
const firstPort = 20_000
const portsPerWorker = 3_000
const worker = Number(process.env['VITEST_POOL_ID'] ?? '0') % 4
let next = process.pid % portsPerWorker

/** Returns a port on which nothing listens, and which this process was not given before. */
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
