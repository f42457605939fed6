import { afterEach, expect, test } from 'vitest'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'
import { ClinicDay, close, newSheet, note, scan, undo } from '#tests/support/clinic-day.ts'
import { type FakeTablet, until } from '#tests/support/test-device.ts'

/**
 * Days in random order: users, tabs, networks and batteries come and go. In the end, every command that the screen
 * called Saved is at the server exactly once, or waits for a person. It has kept its order and its author.
 *
 * `LORGNETTE_SEED=7 npx vitest run --project flows random-days` replays one day, `LORGNETTE_SEED=100-150` tries new
 * ones.
 */
const [first = '1', last = first] = (process.env['LORGNETTE_SEED'] ?? '1-4').split('-')
const seeds = Array.from({ length: Number(last) - Number(first) + 1 }, (_, place) => Number(first) + place)
const stepsADay = 110
const people = ['ben', 'ana', 'maya'] as const

/** The legitimate refusals of such a day. */
const rightRefusals = new Set([
  'count-closed',
  'count-unknown',
  'count-number-wrong',
  'count-devices-unsent',
  'count-exceptions-open',
  'scan-unknown',
  'scan-foreign',
  'permission-missing',
])

let day: ClinicDay | null = null
afterEach(async () => {
  await day?.end()
  day = null
})

type Place = { tablet: FakeTablet; device: Device; second: Device | null; author: number | null; made: OutboxCommand[] }

test.each(seeds)(
  'a random day, seed %i',
  async (seed) => {
    const today = await ClinicDay.begin()
    day = today
    const { random, pick, chance } = dice(seed)
    const truncated = async (path: string, init: RequestInit) => {
      const answer = await today.answer(path, init)
      return path === '/api/sync/push' ? new Response((await answer.text()).slice(0, -20), answer) : answer
    }

    const places: Place[] = []
    for (const username of ['ben', 'ana']) {
      const { tablet, device } = await today.at(username)
      places.push({ tablet, device, second: null, author: idOf(today, username), made: [] })
    }
    const sheets = [await newSheet(places[0]!.device)]
    places[0]!.made.push(...(await places[0]!.device.hot.outbox.toArray()))

    for (let step = 0; step < stepsADay; step += 1) {
      const place = pick(places)
      await takeStep(place)
      if (chance(0.15)) await new Promise((resolve) => setTimeout(resolve, 20 * random()))
    }

    async function takeStep(place: Place): Promise<void> {
      const { tablet } = place
      const device = place.second && chance(0.5) ? place.second : place.device
      const isSignedIn = device.session.state.getState().home !== null
      const roll = random()
      if (roll < 0.5) {
        if (isSignedIn) place.made.push(await scan(device, pick(sheets), today.code(Math.floor(random() * 27))))
      } else if (roll < 0.57) {
        const scans = place.made.filter((command) => command.kind === 'count.scan')
        if (isSignedIn && scans.length > 0) {
          const last = pick(scans)
          place.made.push(await undo(device, last.lane.slice('count:'.length), last.id))
        }
      } else if (roll < 0.6) {
        if (isSignedIn) place.made.push(await note(device, pick(sheets), `note ${Math.floor(random() * 1000)}`))
      } else if (roll < 0.63) {
        if (isSignedIn) {
          const sheet = await newSheet(device)
          const created = await device.hot.outbox
            .where('[lane+lane_seq]')
            .between([`count:${sheet}`, 1], [`count:${sheet}`, 2])
            .first()
          if (created) place.made.push(created)
          sheets.push(sheet)
        }
      } else if (roll < 0.64) {
        if (isSignedIn) place.made.push(await close(device, pick(sheets), Math.floor(random() * 20)))
      } else if (roll < 0.72) {
        tablet.network.online = !tablet.network.online
      } else if (roll < 0.8) {
        tablet.network.answersToLose += 1 + Math.floor(random() * 2)
      } else if (roll < 0.86) {
        tablet.network.between = pick([null, null, portal, broken, busy, truncated])
      } else if (roll < 0.89) {
        await device.session.signOut()
      } else if (roll < 0.93) {
        // A sign-in needs the server.
        if (tablet.network.online) await today.signIn(device, pick(people))
      } else if (roll < 0.95) {
        place.second ??= await tablet.open()
      } else if (roll < 0.98) {
        await Promise.all([place.device.close(), place.second?.close()])
        place.second = null
        place.device = await tablet.open()
      } else {
        // Access tokens expire after a quarter of an hour.
        today.server.clock.advance(20 * 60_000)
        for (const { tablet } of places) tablet.pass(20 * 60_000)
      }
    }

    // Evening: the network is back, and a user signs in on every tablet.
    for (const place of places) {
      Object.assign(place.tablet.network, { online: true, between: null, answersToLose: 0 })
      await today.signIn(place.device, pick(['ben', 'maya']))
    }
    const made = places.flatMap((place) => place.made)
    for (const { device, tablet } of places) {
      await until(
        'all that can leave has left',
        async () => {
          await device.drain()
          return (await device.hot.outbox.filter((command) => command.state !== 'needs-attention').count()) === 0
        },
        60_000,
      ).catch(async (error: unknown) => {
        throw new Error(`${String(error)}: ${JSON.stringify(await stuck(device))}`)
      })
      expect(tablet.surprises).toEqual([])
    }

    // 1: Every command is applied exactly once, or waits for a person.
    const receipts = new Map((await today.receiptsAtServer()).map((receipt) => [receipt.command_id, receipt]))
    const rows = await today.server.db.pool.selectFrom('count_scans').selectAll().execute()
    const rowOf = new Map(rows.map((row) => [row.id, row]))
    for (const place of places) {
      for (const command of place.made) {
        const waiting = await place.device.hot.outbox.get(command.id)
        const settled = await place.device.hot.settled.get(command.id)
        expect([waiting !== undefined, receipts.has(command.id)].filter(Boolean), `${command.title} ${command.id}`).toHaveLength(1)
        expect(settled !== undefined).toBe(receipts.has(command.id))
        // A close needs its author's own session. Everything else leaves in any session.
        const isAuthorAbsent = waiting?.kind === 'count.close' && waiting.last_error?.code === 'author-absent'
        if (waiting && !isAuthorAbsent)
          expect(rightRefusals, JSON.stringify([waiting.kind, waiting.last_error])).toContain(waiting.last_error?.code)
        const isEvent = command.kind === 'count.scan' || command.kind === 'count.undo'
        if (isEvent) expect(rowOf.has(command.id)).toBe(receipts.has(command.id))
      }
    }
    const events = made.filter((command) => command.kind === 'count.scan' || command.kind === 'count.undo')
    expect(rows.length).toBe(events.filter((command) => receipts.has(command.id)).length)

    // 2: The server keeps the order of each lane.
    for (const place of places) {
      for (const lane of new Set(place.made.map((command) => command.lane))) {
        const commands = place.made.filter((command) => command.lane === lane && receipts.has(command.id))
        const inLaneOrder = commands.toSorted((a, b) => a.lane_seq - b.lane_seq).map((command) => receipts.get(command.id)?.number ?? 0)
        expect(inLaneOrder, lane).toEqual(inLaneOrder.toSorted((a, b) => a - b))
      }
    }

    // 4: A command belongs to its author, whichever session delivered it.
    for (const command of made) {
      const receipt = receipts.get(command.id)
      if (receipt) expect(receipt.author_id).toBe(command.author.id_user)
      const row = rowOf.get(command.id)
      if (row) expect(row.author_id).toBe(command.author.id_user)
    }

    // 3: Every tablet shows the server's rows.
    const sheetsAtServer = await today.server.db.pool
      .selectFrom('count_sheets')
      .select(['id_count_sheet', 'revision', 'phase'])
      .where('deleted_at', 'is', null)
      .execute()
    const sorted = (lines: string[]) => lines.toSorted()
    const expectedSheets = sorted(sheetsAtServer.map((sheet) => `${sheet.id_count_sheet} ${sheet.phase} ${sheet.revision}`))
    const expectedScans = sorted(rows.map((row) => `${row.id} ${row.revision}`))
    for (const { device } of places) {
      await device.pull()
      const here = async () => sorted((await device.hot.sheets.toArray()).map((s) => `${s.id_count_sheet} ${s.phase} ${s.revision}`))
      const scansHere = async () => sorted((await device.hot.scans.toArray()).map((row) => `${row.id} ${row.revision}`))
      await until('the scans are those of the server', async () => (await scansHere()).join() === expectedScans.join()).catch(
        () => undefined,
      )
      expect(await here()).toEqual(expectedSheets)
      expect(await scansHere()).toEqual(expectedScans)
    }
  },
  180_000,
)

const html = { 'content-type': 'text/html' }
const portal = () => new Response('<html>Welcome to the guest network</html>', { status: 200, headers: html })
const broken = () => new Response('Bad gateway', { status: 502, headers: html })
const busy = () =>
  new Response(JSON.stringify({ error: 'The server is shutting down. Try again in a moment.', code: 'server-stopping' }), {
    status: 503,
    headers: { 'content-type': 'application/json', 'retry-after': '2' },
  })

function idOf(today: ClinicDay, username: string): number {
  const found = Object.values(today.server.seed.users).find((user) => user.username === username)
  if (!found) throw new Error(`Nobody is called ${username}`)
  return found.id_user
}

async function stuck(device: Device) {
  const waiting = await device.hot.outbox.filter((command) => command.state !== 'needs-attention').toArray()
  return waiting.map(({ kind, state, attempts, last_error, lane_seq }) => ({ kind, state, attempts, last_error, lane_seq }))
}

/** Returns the same numbers for the same seed. */
function dice(seed: number) {
  let state = seed * 0x9e3779b9
  function random(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  function pick<T>(all: readonly T[]): T {
    const found = all[Math.floor(random() * all.length)]
    if (found === undefined) throw new Error('Nothing to pick from')
    return found
  }
  return { random, pick, chance: (probability: number) => random() < probability }
}
