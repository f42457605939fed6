import { randomUUID } from 'node:crypto'
import { readConfig } from '#server/config.ts'
import { beginNewPast } from '#server/platform/db/begin-new-past.ts'
import { databaseSource, openDatabase } from '#server/platform/db/open-database.ts'
import { findProject } from '#server/project.ts'

/**
 * Run once after restoring a backup and before the server starts. It gives the data a new epoch. By that every tablet
 * notices the restore, reads everything again, and sends the work that the backup lacks. Numbers of pieces, patients,
 * invoices, transfers, receipts and returns that may have been given since are skipped.
 */
const config = readConfig({ ...process.env, RISK_PROVIDER: 'development' }, findProject())
const db = await openDatabase(databaseSource(config))
const epoch = randomUUID()
await beginNewPast(db.pool, epoch)
await db.close()
process.stdout.write(`The data has the new epoch ${epoch}. Start the server; tablets rebuild their mirror when they next reach it.\n`)
