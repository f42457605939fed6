import { createHash } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { hashedText } from '#contract/sync/command-hash.ts'
import { type WireCommand } from '#contract/sync/commands.ts'
import type { Frame } from '#contract/stock/frames.ts'
import { epoch, pullLines } from './frames.ts'
import type { PatientStock } from './patients.ts'

export type PageServer = {
  origin: string
  /** The content of later pulls; null for everything. */
  setChange(frames: readonly Frame[] | null): void
  /** Positions in the lane in the order in which they arrived, since the last look. */
  arrived(): number[]
  close(): Promise<void>
}

/** Time from a request's last byte to the answer's first, ms. */
const roundTripMs = 80
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' }

/** Serves the bench's page, and answers pushes and pulls as the clinic's server does, without its database. */
export async function openPageServer(folder: string, frames: readonly Frame[], patients: PatientStock | null = null): Promise<PageServer> {
  const all = Buffer.from(pullLines(frames, true, 'all'))
  let change: Buffer | null = null
  let received: number[] = []

  const server = http.createServer((request, response) => {
    // Without these the browser blurs its clock.
    response.setHeader('cross-origin-opener-policy', 'same-origin')
    response.setHeader('cross-origin-embedder-policy', 'require-corp')
    response.setHeader('cache-control', 'no-store')
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/stock' || pathname === '/api/sync/pull') {
      response.setHeader('content-type', 'application/x-ndjson')
      response.end(pathname === '/stock' ? all : (change ?? all))
    } else if (pathname === '/patients') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(patients))
    } else if (pathname === '/api/sync/push') push(request, response)
    else serveFile(pathname === '/' ? '/bench/page.html' : pathname, response)
  })

  function push(request: http.IncomingMessage, response: http.ServerResponse) {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const endsAt = performance.now() + roundTripMs
      const { commands } = JSON.parse(Buffer.concat(parts).toString()) as { commands: WireCommand[] }
      const body = JSON.stringify({ receipts: commands.map(receiptOf), server_time: new Date().toISOString(), epoch })
      received.push(...commands.map((command) => command.lane_seq))
      // The server's own work is a part of the round trip.
      setTimeout(() => {
        response.setHeader('content-type', 'application/json')
        response.end(body)
      }, endsAt - performance.now())
    })
  }

  function serveFile(name: string, response: http.ServerResponse) {
    const file = path.join(folder, path.basename(name))
    if (!fs.existsSync(file)) {
      response.statusCode = 404
      response.end()
      return
    }
    response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream')
    response.setHeader('service-worker-allowed', '/')
    response.end(fs.readFileSync(file))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    setChange(rows) {
      change = rows && Buffer.from(pullLines(rows, false, 'changed'))
    },
    arrived() {
      const order = received
      received = []
      return order
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let number = 0

/** A receipt as the server writes it for a scan, with the row that the scan made. */
function receiptOf(command: WireCommand) {
  const at = new Date().toISOString()
  number += 1
  return {
    id: command.id,
    body_hash: createHash('sha256').update(hashedText(command)).digest('hex'),
    outcome: 'applied',
    number,
    at,
    rows: [
      {
        collection: 'count_scans',
        row: {
          ...command.body,
          id: command.id,
          finding: 'expected',
          finding_detail: null,
          negates: null,
          walk: 1,
          captured_at: command.captured.wall,
          author_id: 1,
          author_name: command.author.name,
          device_id: command.device_id,
          revision: number,
        },
      },
    ],
  }
}
