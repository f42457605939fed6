import { describe, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'

const project = { root: '/srv/lorgnette', version: '1.2.3', distFolder: null }
const read = (environment: Record<string, string>) => readConfig(environment, project)

describe('the environment', () => {
  test('may be empty: the server is then a demo on port 4173 with its data in the project folder', () => {
    expect(read({})).toMatchObject({
      mode: 'demo',
      port: 4173,
      dataFolder: '/srv/lorgnette/data',
      databaseUrl: null,
      accessTokenSeconds: 900,
      refreshTokenDays: 30,
      risk: { provider: 'development' },
      logLevel: 'info',
    })
  })

  test('of a demo, whose passwords everyone knows, listens on this machine only unless HOST names another address', () => {
    expect(read({}).host).toBe('127.0.0.1')
    expect(read({ LORGNETTE_MODE: 'development' }).host).toBe('127.0.0.1')
    expect(read({ HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
    expect(read({ LORGNETTE_MODE: 'production', RISK_PROVIDER: 'development' }).host).toBeUndefined()
  })

  test('names a security contact, a virus scanner and a storage limit for each store', () => {
    expect(
      read({ SECURITY_CONTACT: 'mailto:a@clinic.example, https://clinic.example/s', CLAMD_ADDRESS: '127.0.0.1:3310', STORE_FILES_GB: '2' }),
    ).toMatchObject({
      securityContacts: ['mailto:a@clinic.example', 'https://clinic.example/s'],
      scanner: { host: '127.0.0.1', port: 3310 },
      storeFileBytes: 2 * 1024 ** 3,
    })
  })

  test('with empty variables is the same as without them', () => {
    expect(read({ DATABASE_URL: '', PORT: '', RISK_SITE_KEY: '' })).toEqual(read({}))
  })

  test('of a production without risk assessment is refused, unless it names the development provider', () => {
    expect(() => read({ LORGNETTE_MODE: 'production' })).toThrow('RISK_SITE_KEY and RISK_SECRET')
    expect(read({ LORGNETTE_MODE: 'production', RISK_PROVIDER: 'development' }).risk).toEqual({ provider: 'development' })
    expect(read({ LORGNETTE_MODE: 'production', RISK_SITE_KEY: 'site', RISK_SECRET: 'hush' }).risk).toMatchObject({
      provider: 'recaptcha',
      siteKey: 'site',
      secret: 'hush',
    })
  })

  test('with half of the risk keys is refused', () => {
    expect(() => read({ RISK_SECRET: 'hush' })).toThrow('one of them is missing')
  })

  test.each([
    ['PORT', 'http'],
    ['SECURITY_CONTACT', 'desk.of.clinic'],
    ['CLAMD_ADDRESS', 'clamd'],
    ['STORE_FILES_GB', '0'],
    ['MAX_CONNECTIONS', 'many'],
    ['PORT', '70000'],
    ['LORGNETTE_MODE', 'staging'],
    ['DATABASE_URL', 'mysql://root:hush@db/x'],
    ['ACCESS_TOKEN_SECONDS', '0'],
    ['LOG_LEVEL', 'loud'],
  ])('is refused by name, never with its value: %s', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(name)
    expect(() => read({ [name]: value })).not.toThrow(value)
  })

  test('may name a token for the metrics, and the server refuses a short one', () => {
    expect(read({}).metricsToken).toBeNull()
    expect(read({ METRICS_TOKEN: 'sixteen-or-more!' }).metricsToken).toBe('sixteen-or-more!')
    expect(() => read({ METRICS_TOKEN: 'too-short' })).toThrow('METRICS_TOKEN must have at least 16 characters')
    expect(() => read({ METRICS_TOKEN: 'too-short' })).not.toThrow('too-short')
  })

  test('may name services for messages; the server refuses incomplete settings and an unencrypted service', () => {
    expect(read({}).messaging).toEqual({ sms: null, email: null })
    const mail = { SMTP_URL: 'smtps://desk:hush@mail.example:465', MAIL_FROM: 'Clinic <desk@clinic.example>' }
    const sms = { SMS_URL: 'https://sms.example/send', SMS_TOKEN: 'hush', SMS_FROM: '+15185550100' }
    expect(read({ ...mail, ...sms, SMS_REPEATS: 'safe' }).messaging).toEqual({
      email: { url: mail.SMTP_URL, from: mail.MAIL_FROM, replyTo: null },
      sms: { url: sms.SMS_URL, token: 'hush', from: sms.SMS_FROM, repeatsSafely: true, reportSecret: null },
    })
    expect(() => read({ SMTP_URL: mail.SMTP_URL })).toThrow('SMTP_URL and MAIL_FROM belong together')
    expect(() => read({ SMS_URL: sms.SMS_URL })).toThrow('SMS_URL, SMS_TOKEN and SMS_FROM belong together')
    expect(() => read({ ...sms, SMS_URL: 'http://sms.example/send' })).toThrow('SMS_URL must begin with https://')
    expect(read({ ...sms, SMS_URL: 'http://127.0.0.1:9000/send' }).messaging.sms?.url).toBe('http://127.0.0.1:9000/send')
    expect(() => read({ ...mail, MAIL_FROM: 'Clinic <desk>' })).toThrow('MAIL_FROM')
    expect(() => read({ ...mail, SMTP_URL: 'mail.example' })).toThrow('SMTP_URL must look like')
  })

  test('may name a bucket for files, and the server refuses incomplete settings', () => {
    expect(read({}).files).toBeNull()
    const said = { S3_ENDPOINT: 'https://s3.example', S3_BUCKET: 'clinic', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'hush' }
    expect(read({ ...said, S3_REGION: 'eu-central-1' }).files).toEqual({
      endpoint: 'https://s3.example',
      bucket: 'clinic',
      region: 'eu-central-1',
      accessKeyId: 'id',
      secretAccessKey: 'hush',
    })
    expect(() => read({ ...said, S3_BUCKET: '' })).toThrow('one of them is missing')
    expect(() => read({ ...said, S3_ENDPOINT: 'ftp://hush' })).not.toThrow('hush')
    expect(() => read({ ...said, S3_ENDPOINT: 'ftp://hush' })).toThrow('S3_ENDPOINT')
  })

  test('lists the trusted proxies', () => {
    expect(read({ PUBLIC_URL: 'https://eyes.clinic.example/' }).publicUrl).toBe('https://eyes.clinic.example')
    expect(read({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' }).trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8'])
  })
})
