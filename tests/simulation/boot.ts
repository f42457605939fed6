import process from 'node:process'
import { startEngine } from './pglite-in-thread.ts'
import { takeOverTime } from './virtual-time.ts'
import type { Order } from './runner.ts'

// The process that gave the orders is gone. End here, so that nobody has to find and stop this process.
process.on('disconnect', () => process.exit())
// The engine starts with the real clock. Everything after it runs in virtual time.
const [, , emptyDatabase = ''] = process.argv
await startEngine(emptyDatabase)
takeOverTime()
// Work that failed in a killed tab has nobody left to report to.
process.on('unhandledRejection', () => undefined)
const { obey, prepare } = await import('./runner.ts')
const ground = await prepare()
process.on('message', (order: Order) => {
  obey(ground, order).then(
    (results) => process.send?.({ results }),
    (error: unknown) => process.send?.({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
const { metKinds } = await import('./met.ts')
process.send?.({ ready: true, kinds: metKinds })
