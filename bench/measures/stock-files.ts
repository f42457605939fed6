import { setTimeout as wait } from 'node:timers/promises'
import { gtinCheckDigit } from '#contract/core/codes.ts'
import { demoPassword } from '#server/demo/demo-clinic.ts'
import { type LorgnetteServer, startLorgnette } from '#tests/support/lorgnette-server.ts'
import { type PostgresServer, startPostgres } from '#tests/support/postgres-server.ts'
import type { Bench, Measure } from '../bench.ts'
import { makeChain } from '../load/chain.ts'
import { usageOf } from '../load/process-watch.ts'
import { ratio, told, type Section } from '../section.ts'
import { at, type Blocks, pairedRatio } from '../statistics.ts'

const fileRows = 2000
/** Rows of a model in a vendor's file, one for each delivery note. */
const rowsOfModel = 4

type Taken = { ms: number; grownMB: number }
type Found = { exports: Taken[]; pulls: Taken[]; checks: Taken[]; imports: Taken[]; repeats: Taken[]; rows: number; rest: number }

/** Times the server's answers to one question after the other, with the peak growth of its memory. */
async function taken(server: LorgnetteServer, work: () => Promise<unknown>): Promise<Taken> {
  const resident = () => usageOf(server.pid())?.residentMB ?? Number.NaN
  const before = resident()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, resident())), 20)
  const began = performance.now()
  await work()
  const ms = performance.now() - began
  clearInterval(watch)
  await wait(300)
  return { ms, grownMB: Math.max(0, Math.max(most, resident()) - before) }
}

async function runEngine(bench: Bench, postgres: PostgresServer | null): Promise<Found> {
  const chain = await makeChain({ clinics: 1, frames: bench.frames.length }, postgres?.url ?? null)
  const server = await startLorgnette({ template: chain.dataFolder, env: { DATABASE_URL: chain.databaseUrl, LOG_LEVEL: 'warn' } })
  try {
    const maya = await signedIn(server)
    const found: Found = { exports: [], pulls: [], checks: [], imports: [], repeats: [], rows: 0, rest: 0 }
    const { brands } = await maya.ask<{ brands: { id: number; name: string; vendor_id: number }[] }>('GET', '/api/inventory/brands')
    const [brand] = brands
    if (!brand) throw new Error('The chain has no brand')
    for (let round = 0; round <= bench.rounds; round++) {
      const exported = await taken(server, async () => {
        found.rows = (await maya.read('/api/inventory/all-filters?output=csv')) - 1
      })
      const pulled = await taken(server, () => maya.read('/api/sync/pull?collection=frames'))
      const import_ = await importing(maya, brand, round)
      const check = await taken(server, () => import_(true))
      const import1 = await taken(server, () => import_(false))
      const import2 = await taken(server, () => import_(false))
      // The first round warms everything up and is thrown away.
      if (round === 0) continue
      found.exports.push(exported)
      found.pulls.push(pulled)
      found.checks.push(check)
      found.imports.push(import1)
      found.repeats.push(import2)
    }
    if (found.rows !== bench.frames.length) bench.say(`data.csv has ${found.rows} rows`)
    found.rest = usageOf(server.pid())?.residentMB ?? Number.NaN
    return found
  } finally {
    await server.remove()
    chain.remove()
  }
}

type Person = Awaited<ReturnType<typeof signedIn>>

async function signedIn({ origin }: LorgnetteServer) {
  async function ask<T>(method: string, address: string, body?: unknown, token?: string): Promise<T> {
    const answer = await fetch(`${origin}${address}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const { access_token } = await ask<{ access_token: string }>('POST', '/api/auth/login', {
    username: 'maya',
    password: demoPassword,
    recaptcha_token: 'development:login:bench',
  })
  return {
    ask: <T>(method: string, address: string, body?: unknown) => ask<T>(method, address, body, access_token),
    /** Reads an answer to its end and keeps nothing of it. @returns its lines */
    async read(address: string): Promise<number> {
      const answer = await fetch(`${origin}${address}`, { headers: { authorization: `Bearer ${access_token}` } })
      if (!answer.ok || !answer.body) throw new Error(`${address}: ${answer.status}`)
      let lines = 0
      for await (const part of answer.body) for (const byte of part) if (byte === 10) lines += 1
      return lines
    },
  }
}

/** A vendor's file with models that nobody has seen before, and the invoice that it goes onto. */
async function importing(person: Person, brand: { name: string; vendor_id: number }, round: number) {
  const [invoice_id, id_vendor_invoice] = [crypto.randomUUID(), crypto.randomUUID()]
  await person.ask('POST', '/api/invoice/create', {
    invoice_id,
    vendor_invoice: { id_vendor_invoice, vendor_id: brand.vendor_id, vendor_invoice_no: `bench ${invoice_id}` },
  })
  const rows = Array.from({ length: fileRows }, (_, row) => {
    const model = Math.floor(row / rowsOfModel)
    const digits = `20${String(round).padStart(3, '0')}${String(model).padStart(6, '0')}`
    return {
      upc: `${digits}${gtinCheckDigit(digits)}`,
      brand: brand.name,
      title_product: `Bench ${round}-${Math.floor(model / 10)}`,
      title_variant: `C${model % 10}`,
      eye: 52,
      bridge: 18,
      temple: 140,
      quantity: 1,
      list_cost: 4500,
    }
  })
  return (check_only: boolean) => person.ask('POST', `/api/invoice/vendor_invoices/${id_vendor_invoice}/import`, { check_only, rows })
}

function lineOf(engine: string, what: string, rows: number, times: readonly Taken[], reference: readonly Taken[] | null): string[] {
  const ms = times.map((one) => one.ms)
  const blocks = (list: readonly Taken[]): Blocks => list.map((one) => [one.ms])
  return [
    engine,
    what,
    told(rows),
    told(at(0.5, ms)),
    told((rows / at(0.5, ms)) * 1000),
    reference ? ratio(pairedRatio(blocks(times), blocks(reference))) : '',
    told(Math.max(...times.map(({ grownMB }) => grownMB))),
  ]
}

export const stockFiles: Measure = {
  name: 'stock-files',
  async run(bench): Promise<Section> {
    const rows: string[][] = []
    for (const engine of ['PGlite', 'PostgreSQL'] as const) {
      const postgres = engine === 'PostgreSQL' ? await startPostgres({ durable: true }) : null
      try {
        const found = await runEngine(bench, postgres)
        const name = postgres ? `PostgreSQL ${postgres.version.split(' ')[0]}` : engine
        rows.push(
          lineOf(name, 'data.csv of all frames', found.rows, found.exports, found.pulls),
          lineOf(name, 'the same frames as a first pull', bench.frames.length, found.pulls, null),
          lineOf(name, 'a vendor’s file, compared', fileRows, found.checks, null),
          lineOf(name, 'a vendor’s file, imported', fileRows, found.imports, null),
          lineOf(name, 'the same file again', fileRows, found.repeats, null),
        )
        bench.say(`${name}: ${told(found.rest)} MB at the end`)
      } finally {
        await postgres?.stop()
      }
    }
    return {
      name: 'stock-files',
      title: `Files of the stock, a chain of ${told(bench.frames.length)} frames`,
      head: ['engine', 'what', 'rows', 'median, ms', 'rows a second', 'of the pull', 'server memory grew, MB'],
      rows,
      goals: [],
      notes: [
        `The built server runs in its own process; its answers are read to the end and thrown away. The vendor’s file has ${told(fileRows)} rows, the most in one request, of ${told(fileRows / rowsOfModel)} models that the library does not have. Memory is the most that one of them added while it ran.`,
      ],
    }
  },
}
