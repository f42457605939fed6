import process from 'node:process'
import { startEngine } from './pglite-in-thread.ts'
import { takeOverTime } from './virtual-time.ts'
import type { Order } from './runner.ts'

// Whoever gave the orders is gone, however that happened and however early: nobody has to look for this process and end it.
process.on('disconnect', () => process.exit())
// The engine starts with the real clock; everything after it lives in virtual time.
const [, , emptyDatabase = ''] = process.argv
await startEngine(emptyDatabase)
takeOverTime()
// What failed in a tab that was killed has nobody left to hear it.
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
