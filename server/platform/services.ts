import type { Logger } from 'pino'
import type { CountDevice } from '#contract/counts/count-sheets.ts'
import type { SentChannel } from '#contract/patients/messages.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import type { S3Settings } from '#server/platform/storage/s3-storage.ts'

/** Milliseconds since the epoch; tests and simulation bring their own. */
export type Clock = { now(): number }

/** The configuration from the environment, read once at start. */
export type Config = {
  mode: 'demo' | 'production' | 'development' | 'test'
  port: number
  /** The network address to listen at; all of them by default. */
  host?: string
  /** The most connections at once; the usual number by default. */
  mostConnections?: number
  /** Contacts for people who found a security hole, as addresses (`mailto:…`, `https://…`); none by default. */
  securityContacts?: readonly string[]
  /** The clamd that scans files before they are stored; none by default. */
  scanner?: { host: string; port: number }
  /** The most bytes in the files of one store's patients; the usual number by default. */
  storeFileBytes?: number
  dataFolder: string
  databaseUrl: string | null
  /** The built app, served unchanged; null in tests of the API alone. */
  distFolder: string | null
  appVersion: string
  accessTokenSeconds: number
  refreshTokenDays: number
  risk:
    | { provider: 'development' }
    | { provider: 'recaptcha'; siteKey: string; secret: string; scriptUrl: string; verifyUrl: string; minimumScore: number }
  /** The services for messages to patients; null for a channel that is not set up. */
  messaging: MessagingConfig
  /**
   * The address of this server for people outside, `https://clinic.example`. When it is null, no email has a link to
   * it.
   */
  publicUrl: string | null
  /** Addresses of proxies whose X-Forwarded-For the server trusts. */
  trustedProxies: string[]
  /** Callers with this token may read /metrics; null when none is set. */
  metricsToken: string | null
  /** The bucket for files of patients; null when they are in the data folder. */
  files: S3Settings | null
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
}

export type MessagingConfig = {
  sms: {
    url: string
    token: string
    from: string
    /**
     * The service answers a repeat under the same key with its first answer. Then a message whose answer was lost is
     * sent again.
     */
    repeatsSafely: boolean
    /** Signs the service's reports; null when it reports nothing. */
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
  /** Key pairs to which punches are sealed (P-256, JWK). Tablets get the first; all of them can open. */
  sealingKeys: { keyId: string; privateKey: JsonWebKey; publicKey: JsonWebKey }[]
  /**
   * The source of the keys that encrypt parts of patients' records in the database, and of the keys under which tablets
   * keep patients.
   */
  recordKey: Uint8Array
}

/** The tablets of a sheet, for the people who work in its store. */
export type SheetPresence = { id_count_sheet: string; store_id: number; devices: CountDevice[] }

/** Tells listeners that a scope's revision rose: in one process at once, across processes within a second. */
export type ChangeFeed = {
  publish(changes: { scope: string; revision: number }[]): void
  subscribe(listener: (change: { scope: string; revision: number }) => void): () => void
  /**
   * Presence on a sheet changed; it is not stored. `read` runs once for all listeners. It runs once more for changes
   * during that time, so that the last event is the current state.
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

/** Sends the queued messages to patients. */
export type Messaging = {
  /** Returns true when the server can send on this channel. */
  isConfigured(channel: SentChannel): boolean
  /** A message was queued. */
  wake(): void
  /** Sends everything that is due, once; resolves when all of it has an answer. */
  sendDue(): Promise<void>
  /** Starts to send due messages automatically. */
  start(): void
  /** Starts no more sending, and waits for what is in hand. */
  close(): Promise<void>
}

/** Everything that a handler may need; made in `main.ts`, or by a test. */
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
