import { collectDefaultMetrics, Counter, Gauge, Histogram, type OpenMetricsContentType, Registry } from 'prom-client'
import type { ErrorCode } from '#contract/core/errors.ts'

/**
 * The counters of one process. Labels are patterns, kinds and codes that this program knows beforehand. They are never
 * an id, a name, an address or a path with its values, because every value is a stored series that others read.
 */
export type Metrics = {
  /** `seconds` until the head of the answer was ready, without the time of a stream afterwards. */
  answered(call: { method: string; route: string; status: number; seconds: number }): void
  /** `bytes` as sent; `judged` has the result of each command with a receipt. */
  pushed(push: { commands: number; bytes: number; judged: readonly Judged[] }): void
  /** A completed pull; `bytes` before compression. */
  pulled(pull: { collection: string; rows: number; bytes: number }): void
  /** Returns a function to call when the stream ends; a second call does nothing. */
  eventStreamOpened(): () => void
  queried(seconds: number): void
  /**
   * Returns everything as OpenMetrics text, with the sums of the tablets' last reports; its content type is
   * `metricsContentType`.
   */
  text(told: TabletSums): Promise<string>
}

export type Judged = { kind: string; as: 'applied' | 'replayed' | ErrorCode }

/** `tablets` are listed, `holding` of them hold `unsent` commands; the oldest is 0 when none does. */
export type TabletSums = { tablets: number; holding: number; unsent: number; oldestUnsentSeconds: number }

export type Connections = { open: number; idle: number; waiting: number }

export type MetricsOptions = {
  /** The database's connections at this moment. */
  connections?: () => Connections
  /** Memory, processor, event loop and garbage collection of this process; set it once in a process. */
  ofProcess?: boolean
}

export const metricsContentType: OpenMetricsContentType = Registry.OPENMETRICS_CONTENT_TYPE

/** Other text can arrive as a method; it does not become a label. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
const secondsOfCall = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const secondsOfQuery = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
const commandsOfPush = [0, 1, 5, 20, 50, 100, 200, 500]
const rowsOfPull = [0, 1, 10, 100, 1000, 10_000, 100_000]
const bytesMoved = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216]

export function createMetrics(options: MetricsOptions = {}): Metrics {
  const registry = new Registry<OpenMetricsContentType>()
  registry.setContentType(metricsContentType)
  const registers = [registry]
  if (options.ofProcess) collectDefaultMetrics({ register: registry })

  const requests = new Counter({
    name: 'lorgnette_http_requests_total',
    help: 'Answers by method, pattern of the path and status',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const requestSeconds = new Histogram({
    name: 'lorgnette_http_request_seconds',
    help: 'Time until the head of an answer stood',
    labelNames: ['method', 'route'],
    buckets: secondsOfCall,
    registers,
  })
  const pushCommands = new Histogram({
    name: 'lorgnette_push_commands',
    help: 'Commands in a push; none in one that only tells of its tablet',
    buckets: commandsOfPush,
    registers,
  })
  const pushBytes = new Histogram({ name: 'lorgnette_push_bytes', help: 'Size of a push', buckets: bytesMoved, registers })
  const applied = new Counter({
    name: 'lorgnette_commands_applied_total',
    help: 'Commands of pushes that did their work, by kind',
    labelNames: ['kind'],
    registers,
  })
  const replayed = new Counter({
    name: 'lorgnette_receipts_replayed_total',
    help: 'Commands that were brought again and answered with their first receipt',
    registers,
  })
  const refused = new Counter({
    name: 'lorgnette_commands_refused_total',
    help: 'Commands of pushes that were refused, by the code of the refusal',
    labelNames: ['code'],
    registers,
  })
  const pullRows = new Histogram({
    name: 'lorgnette_pull_rows',
    help: 'Rows and removals of a pull',
    labelNames: ['collection'],
    buckets: rowsOfPull,
    registers,
  })
  const pullBytes = new Histogram({
    name: 'lorgnette_pull_bytes',
    help: 'Size of a pull before compression',
    labelNames: ['collection'],
    buckets: bytesMoved,
    registers,
  })
  const eventStreams = new Gauge({ name: 'lorgnette_event_streams', help: 'Streams of events that are open', registers })
  const querySeconds = new Histogram({
    name: 'lorgnette_database_query_seconds',
    help: 'Time of a query, without the wait for a connection',
    buckets: secondsOfQuery,
    registers,
  })
  const { connections } = options
  if (connections) {
    // Making it registers it: the gauge reads its value whenever the text is requested.
    void new Gauge({
      name: 'lorgnette_database_connections',
      help: 'Connections to the database that are open and idle, and callers that wait for one',
      labelNames: ['state'],
      registers,
      collect() {
        for (const [state, number] of Object.entries(connections())) this.set({ state }, number)
      },
    })
  }
  const told = {
    tablets: new Gauge({ name: 'lorgnette_tablets', help: 'Tablets that are listed for managers', registers }),
    holding: new Gauge({ name: 'lorgnette_tablets_holding', help: 'Tablets that last told of unsent work', registers }),
    unsent: new Gauge({ name: 'lorgnette_unsent_commands', help: 'Commands that tablets hold, as they last told', registers }),
    oldest: new Gauge({
      name: 'lorgnette_oldest_unsent_age_seconds',
      help: 'Age of the oldest command that a tablet holds, as it last told; 0 when none does',
      registers,
    }),
  }

  return {
    answered({ method, route, status, seconds }) {
      const known = knownMethods.has(method) ? method : 'other'
      requests.inc({ method: known, route, status })
      requestSeconds.observe({ method: known, route }, seconds)
    },
    pushed({ commands, bytes, judged }) {
      pushCommands.observe(commands)
      pushBytes.observe(bytes)
      for (const { kind, as } of judged) {
        if (as === 'applied') applied.inc({ kind })
        else if (as === 'replayed') replayed.inc()
        else refused.inc({ code: as })
      }
    },
    pulled({ collection, rows, bytes }) {
      pullRows.observe({ collection }, rows)
      pullBytes.observe({ collection }, bytes)
    },
    eventStreamOpened() {
      let isOpen = true
      eventStreams.inc()
      return () => {
        if (isOpen) eventStreams.dec()
        isOpen = false
      }
    },
    queried: (seconds) => querySeconds.observe(seconds),
    async text({ tablets, holding, unsent, oldestUnsentSeconds }) {
      told.tablets.set(tablets)
      told.holding.set(holding)
      told.unsent.set(unsent)
      told.oldest.set(oldestUnsentSeconds)
      // OpenMetrics writes the bounds of buckets as floats; the library writes whole ones without their point.
      return (await registry.metrics()).replaceAll(/le="(\d+)"/g, 'le="$1.0"')
    },
  }
}
