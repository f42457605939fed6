import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import type { Tablet } from '#tests/support/browser.ts'
import { startLorgnette, type LorgnetteServer } from '#tests/support/lorgnette-server.ts'

/** The users of the demo clinic. */
export const people = {
  maya: { username: 'maya', pin: '246810', password: 'lorgnette-demo' },
  ben: { username: 'ben', pin: '135790', password: 'lorgnette-demo' },
  ana: { username: 'ana', pin: '112233', password: 'lorgnette-demo' },
  iris: { username: 'iris', pin: '314159', password: 'lorgnette-demo' },
} as const
export type Person = keyof typeof people

/** Starts the built product on a fresh copy of the demo clinic. */
export function openClinic(env: Record<string, string> = {}): Promise<LorgnetteServer> {
  return startLorgnette({ template: inject('demoClinic'), env, isShortLived: true })
}

/** Asks the server directly, not through a tablet, to see what really arrived. */
export type Office = {
  token: string
  get<T>(path: string): Promise<T>
  send<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<{ status: number; body: T }>
  /** Returns every row of a collection, as a new device would pull it. */
  rows<T>(collection: string): Promise<T[]>
}

export async function officeOf(server: { origin: string }, person: Person = 'maya'): Promise<Office> {
  const { username, password } = people[person]
  let token = await tokenOf()

  async function tokenOf() {
    const answer = await fetch(`${server.origin}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password, recaptcha_token: 'development:login:office' }),
    })
    if (!answer.ok) throw new Error(`The office could not sign in: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { access_token: string }).access_token
  }

  /** When a test makes sessions short, the office signs in again as often as it needs. */
  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const withToken = () => {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${token}`)
      return fetch(server.origin + path, { ...init, headers })
    }
    const found = await withToken()
    if (found.status !== 401) return found
    token = await tokenOf()
    return await withToken()
  }

  return {
    get token() {
      return token
    },
    async get<T>(path: string) {
      const found = await ask(path)
      if (!found.ok) throw new Error(`GET ${path}: ${found.status} ${await found.text()}`)
      return (await found.json()) as T
    },
    async send<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) {
      const found = await ask(path, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: found.status, body: (await found.json()) as T }
    },
    async rows<T>(collection: string) {
      const found = await ask(`/api/sync/pull?collection=${collection}`)
      const lines = (await found.text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { type: string; columns?: string[]; rows?: unknown[][] })
      const columns = lines[0]?.columns ?? []
      return lines
        .filter((line) => line.type === 'page')
        .flatMap((line) => line.rows ?? [])
        .map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])) as T)
    },
  }
}

export type PulledScan = {
  id: string
  id_count_sheet: string
  raw_code: string
  author_name: string
  negates: string | null
  captured_at: string
  revision: number
}
export type PulledFrame = {
  id_inventory: number
  sku: string
  serial: string
  upc: string | null
  status: string
  store_id: number
  brand_name: string
  pb_selling_price: number | null
}

/** The tablet's first window. */
export async function pageOf(tablet: Tablet): Promise<Page> {
  return tablet.context.pages()[0] ?? (await tablet.context.newPage())
}

/** Signs in on the tablet with the password, and waits for the shell. */
export async function signIn(page: Page, server: { origin: string }, person: Person = 'maya'): Promise<void> {
  await page.goto(`${server.origin}/login`)
  await page.getByLabel('Email or username').fill(people[person].username)
  await page.getByLabel('Password', { exact: true }).first().fill(people[person].password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')
}

/** Repeats `look` until `holds` returns true. A failure names the last value that it saw. */
export async function until<T>(look: () => Promise<T>, holds: (seen: T) => boolean, what: string, ms = 60_000): Promise<T> {
  const deadline = Date.now() + ms
  let seen: T | undefined
  for (;;) {
    seen = await look()
    if (holds(seen)) return seen
    if (Date.now() > deadline) throw new Error(`${what}; last seen: ${JSON.stringify(seen)?.slice(0, 400)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
