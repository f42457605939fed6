// A demo clinic for scripts: its server, and users who work in it without a screen.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import net from 'node:net'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

/** The password of every demo account. */
export const demoPassword = 'lorgnette-demo'

export async function freePort() {
  const probe = net.createServer()
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Starts the built server on its own demo clinic in `dataFolder`, which is empty at first. */
export async function startServer(dataFolder) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const server = spawn(process.execPath, ['build/server/main.js'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), LORGNETTE_DATA: dataFolder, LORGNETTE_MODE: 'demo', DATABASE_URL: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const deadline = Date.now() + 120_000
  for (;;) {
    const health = await fetch(`${origin}/api/health`).catch(() => null)
    if (health?.ok) return { origin, stop: () => server.kill() }
    if (server.exitCode !== null || Date.now() > deadline) throw new Error('The server did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** A tablet without a screen: signs in, and sends its user's commands. */
export async function openDesk(origin, username) {
  const device = randomUUID()
  const call = async (route, body, token) => {
    const answer = await fetch(`${origin}${route}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${route}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const signingIn = await call('/api/auth/login', {
    username,
    password: demoPassword,
    recaptcha_token: 'development:login:desk',
    device_id: device,
  })
  const person = await signingIn.json()
  const sequences = new Map()
  let reports = 0

  return {
    /** Every row of a collection, as objects. */
    async rows(collection) {
      const answer = await call(`/api/sync/pull?collection=${collection}`, null, person.access_token)
      const lines = (await answer.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      const [{ columns }] = lines
      return lines.flatMap((line) => line.rows ?? []).map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
    },
    /** @param done `{ id, kind, body, at }`: the commands, and their times in ms */
    async send(done) {
      for (let first = 0; first < done.length; first += 400) {
        const commands = done.slice(first, first + 400).map(({ id, kind, body, at }) => {
          const lane = `count:${body.id_count_sheet}`
          sequences.set(lane, (sequences.get(lane) ?? 0) + 1)
          return {
            id,
            lane,
            lane_seq: sequences.get(lane),
            kind,
            version: 1,
            body,
            store_id: person.store_id,
            author: { id_user: person.id_user, name: `${person.first_name} ${person.last_name}` },
            // Its author's own session delivers it. That needs no other proof, and the work may be older.
            capture_token: null,
            device_id: device,
            captured: { wall: new Date(at).toISOString(), time_zone: 'America/New_York', server_offset_ms: 0, monotonic_ms: at % 1e9 },
          }
        })
        const batch = {
          device_id: device,
          device_name: 'Tablet',
          protocol: 1,
          commands,
          report: (reports += 1),
          holds: [],
          open_sheets: [],
        }
        const { receipts } = await (await call('/api/sync/push', batch, person.access_token)).json()
        const refused = receipts.find((receipt) => receipt.outcome === 'refused')
        if (refused) throw new Error(`A command was refused: ${JSON.stringify(refused)}`)
      }
    },
  }
}
