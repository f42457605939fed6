import { ConfigError, readConfig } from '#server/config.ts'
import { FolderInUse } from '#server/platform/db/folder-lock.ts'
import { seedDemo } from '#server/demo/seed-demo.ts'
import { startPriceClock } from '#server/features/stock/price-book/apply-prices.ts'
import { type Listening, listen } from '#server/listen.ts'
import { createLog } from '#server/log.ts'
import { closeServices, makeServices, type OwnedServices } from '#server/make-services.ts'
import { findProject } from '#server/project.ts'

/** The server as a process: reads the environment, opens the data, serves, and stops in order on a signal. */

const log = createLog()
let services: OwnedServices | null = null
let listening: Listening | null = null
let stopPriceClock: (() => Promise<void>) | null = null
let isStopping = false

async function start(): Promise<void> {
  const project = findProject()
  const config = readConfig(process.env, project)
  log.level = config.logLevel
  services = await makeServices(config, process.env, log, (error) => {
    log.fatal({ reason: error.message }, 'the embedded database ended; the server ends too and should be started again')
    void stop(1)
  })
  await checkData(services)
  const isDevelopment = config.mode === 'development'
  if (!isDevelopment && config.distFolder === null) log.warn('the app is not built: only /api is served (npm run build)')
  const pages = isDevelopment ? (await import('#server/development-pages.ts')).developmentPages(project.root) : undefined
  listening = await listen(services, pages)
  services.messaging.start()
  stopPriceClock = startPriceClock(services)
  log.info({ port: listening.port, mode: config.mode, engine: services.db.engine, version: config.appVersion }, 'listening')
  if (config.mode !== 'production') welcome(listening.port)
}

/** Makes the demo clinic at the first start of a demo, and keeps demo passwords out of production. */
async function checkData(owned: OwnedServices): Promise<void> {
  const { mode } = owned.config
  const { is_demo } = await owned.db.pool.selectFrom('server_state').select('is_demo').executeTakeFirstOrThrow()
  if (mode === 'production') {
    if (is_demo) {
      throw new ConfigError(
        'This data is the demo clinic, whose passwords everyone knows: production needs a data folder or database of its own',
      )
    }
    return
  }
  const store = await owned.db.pool.selectFrom('stores').select('store_id').executeTakeFirst()
  if (store) return
  await seedDemo(owned)
}

function welcome(port: number): void {
  process.stdout.write(
    [
      '',
      `  Lorgnette is at http://localhost:${port}`,
      '',
      '  Demo accounts, all with the password lorgnette-demo:',
      '    maya   manager       PIN 246810',
      '    ben    stock clerk   PIN 135790',
      '    ana    optician      PIN 112233',
      '    iris   doctor        PIN 314159',
      '    leo    front desk    PIN 271828',
      '  A PIN works after one sign-in with the password on the same tablet.',
      '',
      '',
    ].join('\n'),
  )
}

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  log.info('stopping')
  try {
    await listening?.stop()
    await stopPriceClock?.()
    if (services) await closeServices(services)
    log.info('stopped')
  } catch (error) {
    log.error({ err: error }, 'stopping failed')
    exitCode ||= 1
  }
  process.exit(exitCode)
}

function sayWhy(error: unknown): string {
  if (error instanceof ConfigError || error instanceof FolderInUse) return error.message
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Port ${process.env.PORT || 4173} is in use by another program. Set PORT to another one.`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

process.on('SIGTERM', () => void stop(0))
process.on('SIGINT', () => void stop(0))
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'a fault that nobody handled; the server ends and should be started again')
  void stop(1)
})

start().catch(async (error: unknown) => {
  process.stderr.write(`\nLorgnette did not start.\n${sayWhy(error)}\n\n`)
  if (services) await closeServices(services).catch(() => {})
  process.exit(1)
})
