import type { ClinicServer } from './clinic-server.ts'
import { Unreachable } from './clinic-server.ts'
import type { Dice } from './dice.ts'
import type { Process } from './process.ts'
import { time } from './virtual-time.ts'

/** The network of a device: it draws a fate for every request by its weight. */
export type Weather = {
  isOnline: boolean
  weights: Readonly<Partial<Record<NetworkFate, number>>>
  /** Round trips take up to this long, ms. */
  slowMs: number
}

export const networkFates = [
  'arrives',
  'request-lost',
  'answer-lost',
  'answer-truncated',
  'request-repeated',
  'late',
  'answer-late',
  'hangs',
  'portal',
  'redirect',
  'bad-gateway',
  'server-error',
  'busy',
  'too-many',
  'forbidden',
  'conflict',
  'too-large',
  'outdated',
  'foreign-answer',
] as const
export type NetworkFate = (typeof networkFates)[number]

export const calm: Weather = { isOnline: true, weights: { arrives: 1 }, slowMs: 60 }

/** The network between one device and the server. */
export class DeviceNetwork {
  weather: Weather = calm
  /** Called with every command that the server, or something that looked like it, refused. */
  onRefused: (id: string) => void = () => {}
  /** Called with every command of a push that the server died over, so its answer is unknown. */
  onUnanswered: (id: string) => void = () => undefined
  /** Called with every command whose copy the network brought to the server later. */
  onCopied: (id: string) => void = () => {}
  /**
   * Called for a refresh that reached the server after its sender had given it up. To the server it is a copy of a used
   * token.
   */
  onStrayRefresh: () => void = () => {}
  /** Called with every key for patients that reached the device. */
  onPatientsKey: (key: string) => void = () => {}
  /** Called for each request that the network harmed, with its fate. */
  onFault: (fate: NetworkFate) => void = () => {}
  readonly #server: ClinicServer
  readonly #dice: Dice
  readonly #trace: (line: string) => void
  #lastPushAnswer: string | null = null

  constructor(server: ClinicServer, chance: Dice, trace: (line: string) => void) {
    this.#server = server
    this.#dice = chance
    this.#trace = trace
  }

  fetchFor(process: Process): (path: string, init: RequestInit) => Promise<Response> {
    return (path, init) => {
      const answered = process.answered(`answer of ${path}`, this.#request(process, path, init))
      const { signal } = init
      if (!signal) return answered
      return new Promise((resolve, reject) => {
        const hangUp = () => reject(signal.reason instanceof Error ? signal.reason : new Error('Hung up'))
        if (signal.aborted) return hangUp()
        signal.addEventListener('abort', hangUp, { once: true })
        answered.finally(() => signal.removeEventListener('abort', hangUp)).then(resolve, reject)
      })
    }
  }

  async #request(process: Process, path: string, init: RequestInit): Promise<Response> {
    await new Promise<void>((resolve) => process.enter(`request of ${path}`, resolve))
    const fate = this.#dice.weighted<NetworkFate>(this.weather.weights)
    const there = this.#latency()
    if (!this.weather.isOnline) {
      await after(5)
      throw new Unreachable()
    }
    const trace = (what: string) => this.#trace(`${process.name} ${init.method ?? 'GET'} ${path.split('?')[0]} ${what}`)
    const say = (what: string) => {
      this.onFault(fate)
      trace(what)
    }
    const isPush = path === '/api/sync/push'
    switch (fate) {
      case 'request-lost':
        say('was lost')
        await after(there)
        throw new Unreachable()
      case 'hangs':
        say('hangs')
        return await new Promise(() => {})
      case 'portal':
        say('came to a captive portal')
        await after(there)
        return htmlOf(200)
      case 'redirect':
        say('was redirected')
        await after(there)
        return new Response(null, { status: 302, headers: { location: 'https://portal.example/login' } })
      case 'bad-gateway':
        say('met a bad gateway')
        await after(there)
        return htmlOf(502)
      case 'server-error':
        say('met an error of the server')
        await after(there)
        return refusal(500, 'server-failed', {})
      case 'busy':
        say('found the server stopping')
        await after(there)
        return refusal(503, 'server-stopping', { retry_after_s: 2 })
      case 'too-many':
        say('was one too many')
        await after(there)
        return refusal(429, 'request-too-frequent', { retry_after_s: 1 + this.#dice.below(20) })
      case 'forbidden':
        say('was forbidden by something on its way')
        for (const id of idsIn(init)) this.onRefused(id)
        await after(there)
        return this.#dice.chance(0.5) ? htmlOf(403) : refusal(403, 'permission-missing', {})
      case 'conflict':
        say('met a conflict')
        for (const id of idsIn(init)) this.onRefused(id)
        await after(there)
        return this.#dice.chance(0.5) ? htmlOf(409) : refusal(409, 'key-reused', {})
      case 'too-large':
        if (!isPush || !(typeof init.body === 'string' && init.body.split('"lane_seq"').length > 2)) break
        say('was too large')
        await after(there)
        return htmlOf(413)
      case 'outdated':
        if (!isPush) break
        say('came from an app that is too old')
        await after(there)
        return refusal(426, 'app-outdated', {})
      case 'foreign-answer':
        // A proxy answers with a cached answer to another request.
        if (!isPush) break
        if (this.#lastPushAnswer === null) break
        say('was answered with the answer before')
        await after(there)
        return new Response(this.#lastPushAnswer, { status: 200, headers: { 'content-type': 'application/json' } })
      default:
    }
    await after(fate === 'late' ? 15_000 + this.#dice.below(90_000) : there)
    if (fate === 'late') for (const id of idsIn(init)) this.onCopied(id)
    if (path === '/api/auth/token/refresh' && (init.signal?.aborted || process.state === 'dead')) this.onStrayRefresh()
    const again = fate === 'request-repeated' ? this.#dice.below(30_000) : null
    const hungUp = new AbortController()
    init.signal?.addEventListener('abort', () => time.schedule(this.#latency(), () => hungUp.abort()))
    process.onEnd(() => time.schedule(50, () => hungUp.abort()))
    const sent = { ...init, signal: hungUp.signal }
    if (again !== null && init.method === 'POST') {
      say('will be repeated on its way')
      for (const id of idsIn(init)) this.onCopied(id)
      // When the app cannot store an answer, it uses the same token again. That first use is then older than this copy.
      if (path === '/api/auth/token/refresh') this.onStrayRefresh()
      const { signal: _, ...repeated } = init
      time.schedule(again, () => void this.#server.answer(path, repeated).catch(() => undefined))
    }
    let answer: Response
    try {
      answer = await this.#server.answer(path, sent)
    } catch (error) {
      if (isPush) for (const id of idsIn(init)) this.onUnanswered(id)
      throw error
    }
    trace(`→ ${answer.status}`)
    if (fate === 'late' || fate === 'answer-late') this.onFault(fate)
    if (answer.headers.get('content-type')?.includes('text/event-stream')) {
      await after(this.#latency())
      return this.#streamed(process, answer, hungUp)
    }
    const text = await answer.text()
    // This counts also when the answer gets lost: the server took the later commands of the lane, so a refused one
    // comes after them.
    if (isPush) {
      for (const [, id] of text.matchAll(/"id":"([^"]+)","body_hash":"[0-9a-f]+","outcome":"refused"/g)) if (id) this.onRefused(id)
    }
    if (path === '/api/sync/patients-key') for (const [, key = ''] of text.matchAll(/"key":"([^"]+)"/g)) this.onPatientsKey(key)
    await after(fate === 'late' ? this.#dice.below(60_000) : fate === 'answer-late' ? 2000 + this.#dice.below(20_000) : this.#latency())
    if (!this.weather.isOnline) throw new Unreachable()
    if (fate === 'answer-lost') {
      say('lost its answer')
      throw new Unreachable()
    }
    const { status } = answer
    const headers = Object.fromEntries(answer.headers)
    delete headers['content-length']
    if (isPush && status === 200) this.#lastPushAnswer = text
    if (fate === 'answer-truncated') {
      say('had its answer cut')
      return cutOff(text.slice(0, this.#dice.below(text.length + 1)), status, headers)
    }
    return new Response(text, { status, headers })
  }

  #latency(): number {
    return 5 + this.#dice.below(this.weather.slowMs)
  }

  /** A stream that goes silent with the network, and breaks when the server dies. */
  #streamed(process: Process, answer: Response, hungUp: AbortController): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const reader = answer.body?.getReader()
        const read = async (): Promise<void> => {
          for (;;) {
            const part = await reader?.read()
            const { isOnline } = this.weather
            await after(10)
            if (!part || part.done) {
              process.enter('end of the events', () => endOf(controller))
              return
            }
            if (isOnline) process.enter('events', () => enqueue(controller, part.value))
          }
        }
        read().catch(() => process.enter('events cut', () => endOf(controller)))
      },
      cancel() {
        hungUp.abort()
      },
    })
    return new Response(body, { status: answer.status, headers: { 'content-type': 'text/event-stream' } })
  }
}

function enqueue(controller: ReadableStreamDefaultController<Uint8Array>, bytes: Uint8Array): void {
  try {
    controller.enqueue(bytes)
  } catch {
    // The reader is gone.
  }
}

function endOf(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.error(new Unreachable())
  } catch {
    // The reader is gone.
  }
}

function cutOff(text: string, status: number, headers: Record<string, string>): Response {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (text === '') return endOf(controller)
      controller.enqueue(new TextEncoder().encode(text))
      text = ''
    },
  })
  return new Response(body, { status, headers })
}

/** Returns the ids of a push's commands and of received pieces. */
function idsIn({ body }: RequestInit): string[] {
  return typeof body === 'string' ? Array.from(body.matchAll(/"(?:receive_)?id":"([0-9a-f-]{36})"/g), ([, id = '']) => id) : []
}

/** The answer of portals, proxies and gateways. */
function htmlOf(status: number): Response {
  return new Response('<html>Not what was asked for</html>', { status, headers: { 'content-type': 'text/html' } })
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}

function refusal(status: number, code: string, more: Record<string, unknown>): Response {
  return json(status, { error: 'Said by the network of the simulation', code, ...more })
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => time.schedule(ms, resolve))
}
