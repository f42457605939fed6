import type { Logger } from 'pino'
import type { CountDevice } from '#contract/counts/count-sheets.ts'
import type { SentChannel } from '#contract/patients/messages.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import type { S3Settings } from '#server/platform/storage/s3-storage.ts'

/** Milliseconds since the epoch; tests and simulation bring their own. */
export type Clock = { now(): number }

/** What the environment says, read once at start. */
export type Config = {
  mode: 'demo' | 'production' | 'development' | 'test'
  port: number
  /** The network address to listen at; all of them when not said. */
  host?: string
  /** Connections at once; the usual number when not said. */
  mostConnections?: number
  /** Whom people tell of a hole that they found, as addresses (`mailto:…`, `https://…`); nobody when not said. */
  securityContacts?: readonly string[]
  /** The clamd that looks through files before they are kept; none when not said. */
  scanner?: { host: string; port: number }
  /** Bytes that the files of one store's patients may have together; the usual number when not said. */
  storeFileBytes?: number
  dataFolder: string
  databaseUrl: string | null
  /** Served as they are; null in tests of the API alone. */
  distFolder: string | null
  appVersion: string
  accessTokenSeconds: number
  refreshTokenDays: number
  risk:
    | { provider: 'development' }
    | { provider: 'recaptcha'; siteKey: string; secret: string; scriptUrl: string; verifyUrl: string; minimumScore: number }
  /** The services that messages to patients go through; null for what is not set up. */
  messaging: MessagingConfig
  /** Where people outside reach this server, `https://clinic.example`; null when nobody said, and then no e-mail has a link to it. */
  publicUrl: string | null
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[]
  /** Who brings it may read /metrics; null when none is set. */
  metricsToken: string | null
  /** The bucket in which files of patients lie; null when they lie in the data folder. */
  files: S3Settings | null
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
}

export type MessagingConfig = {
  sms: {
    url: string
    token: string
    from: string
    /** The service answers a repeat under the same key with its first answer: then a message whose answer was lost is sent again. */
    repeatsSafely: boolean
    /** Signs what the service reports; null when it reports nothing. */
    reportSecret: string | null
  } | null
  email: { url: string; from: string; replyTo: string | null } | null
}

/** Keys made at the first start and kept in the data folder, or given by the environment. */
export type Secrets = {
  /** Access and refresh tokens (HS256). `previous` still verifies while a rotation is under way. */
  tokenKey: Uint8Array
  previousTokenKey: Uint8Array | null
  captureKey: Uint8Array
  previousCaptureKey: Uint8Array | null
  pinPepper: Uint8Array
  /** Key pairs to which punches are sealed (P-256, JWK); the first is handed out, all open. */
  sealingKeys: { keyId: string; privateKey: JsonWebKey; publicKey: JsonWebKey }[]
  /** What of a patient's record is encrypted in the database, and the keys that tablets keep patients under, come of it. */
  recordKey: Uint8Array
}

/** The tablets of a sheet, for those who work in its store. */
export type SheetPresence = { id_count_sheet: string; store_id: number; devices: CountDevice[] }

/** Tells listeners that a scope's revision rose. In one process at once; across processes within a second. */
export type ChangeFeed = {
  publish(changes: { scope: string; revision: number }[]): void
  subscribe(listener: (change: { scope: string; revision: number }) => void): () => void
  /**
   * Presence on a sheet changed; not kept anywhere. `read` is asked once for all who listen, and once more for what changes
   * while it is asked, so that what is told last is what holds.
   */
  publishPresence(idCountSheet: string, read: () => Promise<SheetPresence | null>): void
  subscribePresence(listener: (presence: SheetPresence) => void): () => void
  close(): void
}

/** Verifies the risk-assessment token of a sign-in. */
export type RiskProvider = {
  name: 'development' | 'recaptcha'
  assess(token: string, address: string): Promise<boolean>
}

/** Sends what is queued of messages to patients. */
export type Messaging = {
  /** Whether anything can be sent this way. */
  isConfigured(channel: SentChannel): boolean
  /** Something was queued. */
  wake(): void
  /** Sends everything that is due, once; resolves when all of it has an answer. */
  sendDue(): Promise<void>
  /** From now on what is due is sent by itself. */
  start(): void
  /** Takes nothing more in hand, and waits for what is. */
  close(): Promise<void>
}

/** Everything a handler may need; made in `main.ts`, or by a test. */
export type Services = {
  db: Database
  clock: Clock
  config: Config
  secrets: Secrets
  log: Logger
  changes: ChangeFeed
  risk: RiskProvider
  messaging: Messaging
  metrics: Metrics
  /** Files of patients. */
  storage: Storage
}
