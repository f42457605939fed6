import path from 'node:path'
import * as v from 'valibot'
import { isLoopback } from '#server/platform/messaging/loopback.ts'
import type { Config } from '#server/platform/services.ts'

const number = (least: number, most: number) =>
  v.pipe(v.string(), v.regex(/^\d+$/, 'must be a whole number'), v.transform(Number), v.minValue(least), v.maxValue(most))

/** `desk@clinic.example`, or with a name before it: `Downtown Eye Care <desk@clinic.example>`. */
const mailbox = /^([^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/

/** Messages to patients travel encrypted, unless the service runs on this machine. */
const isPrivate = (url: string) => url.startsWith('https://') || isLoopback(new URL(url).hostname)

/** The environment, see docs/operations.md. An empty variable counts as not set. */
const environmentShape = v.object({
  LORGNETTE_MODE: v.optional(v.picklist(['demo', 'production', 'development']), 'demo'),
  PORT: v.optional(number(0, 65_535), '4173'),
  HOST: v.optional(v.string()),
  MAX_CONNECTIONS: v.optional(number(16, 1_000_000)),
  SECURITY_CONTACT: v.optional(
    v.pipe(
      v.string(),
      v.transform((said) => said.split(/[\s,]+/).filter((contact) => contact !== '')),
      v.check(
        (contacts) => contacts.every((contact) => /^(mailto:[^\s@]+@[^\s@]+|tel:\+[\d-]+|https:\/\/[^\s]+)$/.test(contact)),
        'must look like mailto:security@clinic.example or https://clinic.example/security',
      ),
    ),
  ),
  CLAMD_ADDRESS: v.optional(v.pipe(v.string(), v.regex(/^[^\s:/]+:\d{1,5}$/, 'must look like 127.0.0.1:3310'))),
  STORE_FILES_GB: v.optional(number(1, 100_000)),
  LORGNETTE_DATA: v.optional(v.string(), './data'),
  LORGNETTE_DIST: v.optional(v.string()),
  DATABASE_URL: v.optional(v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//, 'must begin with postgres://'))),
  ACCESS_TOKEN_SECONDS: v.optional(number(1, 86_400), '900'),
  REFRESH_TOKEN_DAYS: v.optional(number(1, 365), '30'),
  RISK_PROVIDER: v.optional(v.picklist(['development', 'recaptcha'])),
  RISK_SITE_KEY: v.optional(v.string()),
  RISK_SECRET: v.optional(v.string()),
  RISK_SCRIPT_URL: v.optional(v.pipe(v.string(), v.url()), 'https://www.google.com/recaptcha/api.js'),
  RISK_VERIFY_URL: v.optional(v.pipe(v.string(), v.url()), 'https://www.google.com/recaptcha/api/siteverify'),
  RISK_MINIMUM_SCORE: v.optional(v.pipe(v.string(), v.transform(Number), v.minValue(0), v.maxValue(1)), '0.5'),
  SMTP_URL: v.optional(v.pipe(v.string(), v.regex(/^smtps?:\/\/[^/\s]+\/?$/, 'must look like smtp://user:password@host:587'))),
  MAIL_FROM: v.optional(v.pipe(v.string(), v.regex(mailbox, 'must look like Clinic name <desk@clinic.example>'))),
  MAIL_REPLY_TO: v.optional(v.pipe(v.string(), v.regex(mailbox, 'must be an email address'))),
  SMS_URL: v.optional(v.pipe(v.string(), v.url(), v.check(isPrivate, 'must begin with https://'))),
  SMS_TOKEN: v.optional(v.string()),
  SMS_FROM: v.optional(v.pipe(v.string(), v.regex(/^[+\w -]{3,20}$/, 'must be a number or a name of 3 to 20 characters'))),
  SMS_REPEATS: v.optional(v.picklist(['unsafe', 'safe']), 'unsafe'),
  SMS_REPORT_SECRET: v.optional(v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters'))),
  PUBLIC_URL: v.optional(
    v.pipe(
      v.string(),
      v.url(),
      v.check((url) => new URL(url).pathname === '/' && !/[?#]/.test(url) && isPrivate(url), 'must look like https://clinic.example'),
      v.transform((url) => new URL(url).origin),
    ),
  ),
  TRUSTED_PROXIES: v.optional(v.string(), ''),
  METRICS_TOKEN: v.optional(v.pipe(v.string(), v.regex(/^\S{16,}$/, 'must have at least 16 characters and no spaces'))),
  S3_ENDPOINT: v.optional(v.pipe(v.string(), v.regex(/^https?:\/\//, 'must begin with https:// or http://'), v.url())),
  S3_BUCKET: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]{3,63}$/, 'must be the name of a bucket'))),
  S3_REGION: v.optional(v.string(), 'us-east-1'),
  S3_ACCESS_KEY_ID: v.optional(v.string()),
  S3_SECRET_ACCESS_KEY: v.optional(v.string()),
  LOG_LEVEL: v.optional(v.picklist(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), 'info'),
})
type Environment = v.InferOutput<typeof environmentShape>

/** Thrown for an environment with which the server should not start. The message is for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Reads the configuration from the environment. `root` is the project's folder, `distFolder` the built app in it. */
export function readConfig(environment: NodeJS.ProcessEnv, project: { root: string; version: string; distFolder: string | null }): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = v.safeParse(environmentShape, set)
  if (!parsed.success) {
    // The message leaves the value out: it may be a secret in the wrong variable.
    throw new ConfigError(parsed.issues.map((issue) => `${String(issue.path?.[0]?.key)} ${wordsOf(issue)}`).join('\n'))
  }
  const said = parsed.output
  return {
    mode: said.LORGNETTE_MODE,
    port: said.PORT,
    ...hostOf(said),
    ...(said.MAX_CONNECTIONS !== undefined && { mostConnections: said.MAX_CONNECTIONS }),
    ...(said.SECURITY_CONTACT !== undefined && { securityContacts: said.SECURITY_CONTACT }),
    ...(said.CLAMD_ADDRESS !== undefined && { scanner: addressOf(said.CLAMD_ADDRESS) }),
    ...(said.STORE_FILES_GB !== undefined && { storeFileBytes: said.STORE_FILES_GB * 1024 ** 3 }),
    dataFolder: path.resolve(project.root, said.LORGNETTE_DATA),
    databaseUrl: said.DATABASE_URL ?? null,
    distFolder: said.LORGNETTE_DIST === undefined ? project.distFolder : path.resolve(project.root, said.LORGNETTE_DIST),
    appVersion: project.version,
    accessTokenSeconds: said.ACCESS_TOKEN_SECONDS,
    refreshTokenDays: said.REFRESH_TOKEN_DAYS,
    risk: riskOf(said),
    messaging: messagingOf(said),
    publicUrl: said.PUBLIC_URL ?? null,
    trustedProxies: said.TRUSTED_PROXIES.split(/[\s,]+/).filter((entry) => entry !== ''),
    metricsToken: said.METRICS_TOKEN ?? null,
    files: filesOf(said),
    logLevel: said.LOG_LEVEL,
  }
}

/** Everyone knows the passwords of the demo, so it listens on this machine only, unless HOST names another address. */
function hostOf(said: Environment): { host?: string } {
  if (said.HOST !== undefined) return { host: said.HOST }
  return said.LORGNETTE_MODE === 'production' ? {} : { host: '127.0.0.1' }
}

function addressOf(said: string): { host: string; port: number } {
  const [host = '', port] = said.split(':')
  return { host, port: Number(port) }
}

function wordsOf(issue: v.BaseIssue<unknown>): string {
  return issue.message.startsWith('Invalid ') ? `must be ${issue.expected ?? 'something else'}` : issue.message
}

/** Needs all of the settings or none: with half of them the server would quietly keep files on the disk. */
function filesOf(said: Environment): Config['files'] {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = said
  if (endpoint !== undefined && bucket !== undefined && accessKeyId !== undefined && secretAccessKey !== undefined) {
    return { endpoint, bucket, region: said.S3_REGION, accessKeyId, secretAccessKey }
  }
  if ([endpoint, bucket, accessKeyId, secretAccessKey].every((given) => given === undefined)) return null
  throw new ConfigError('S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: one of them is missing')
}

function riskOf(said: Environment): Config['risk'] {
  const hasKeys = said.RISK_SITE_KEY !== undefined && said.RISK_SECRET !== undefined
  if (!hasKeys && (said.RISK_SITE_KEY !== undefined || said.RISK_SECRET !== undefined)) {
    throw new ConfigError('RISK_SITE_KEY and RISK_SECRET belong together: one of them is missing')
  }
  if (said.RISK_PROVIDER === 'development') return { provider: 'development' }
  if (said.RISK_SITE_KEY !== undefined && said.RISK_SECRET !== undefined) {
    return {
      provider: 'recaptcha',
      siteKey: said.RISK_SITE_KEY,
      secret: said.RISK_SECRET,
      scriptUrl: said.RISK_SCRIPT_URL,
      verifyUrl: said.RISK_VERIFY_URL,
      minimumScore: said.RISK_MINIMUM_SCORE,
    }
  }
  if (said.RISK_PROVIDER === 'recaptcha' || said.LORGNETTE_MODE === 'production') {
    throw new ConfigError(
      'Sign-ins would not be assessed for risk: set RISK_SITE_KEY and RISK_SECRET, or say RISK_PROVIDER=development to go without',
    )
  }
  return { provider: 'development' }
}

function messagingOf(said: Environment): Config['messaging'] {
  const { SMTP_URL: mailUrl, MAIL_FROM: mailFrom, SMS_URL: url, SMS_TOKEN: token, SMS_FROM: from } = said
  if ((mailUrl === undefined) !== (mailFrom === undefined)) {
    throw new ConfigError('SMTP_URL and MAIL_FROM belong together: one of them is missing')
  }
  const hasSms = url !== undefined && token !== undefined && from !== undefined
  if (!hasSms && (url !== undefined || token !== undefined || from !== undefined)) {
    throw new ConfigError('SMS_URL, SMS_TOKEN and SMS_FROM belong together: one of them is missing')
  }
  return {
    email: mailUrl === undefined || mailFrom === undefined ? null : { url: mailUrl, from: mailFrom, replyTo: said.MAIL_REPLY_TO ?? null },
    sms: hasSms ? { url, token, from, repeatsSafely: said.SMS_REPEATS === 'safe', reportSecret: said.SMS_REPORT_SECRET ?? null } : null,
  }
}
