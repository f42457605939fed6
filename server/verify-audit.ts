import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { databaseSource, openDatabase } from '#server/platform/db/open-database.ts'
import { type Seal, unguardedTables, verifyAuditLogs } from '#server/platform/db/verify-audit-logs.ts'
import { findProject } from '#server/project.ts'

/**
 * `npm run verify-audit [-- --kept file]`: reads the audit logs and their chains. It prints the seal of each log, and
 * names the first row that was changed. `--kept` is the output of an earlier run. The exit code is 1 when something is
 * wrong.
 */
const { values } = parseArgs({ options: { kept: { type: 'string' } } })
const kept = values.kept === undefined ? [] : sealsIn(readFileSync(values.kept, 'utf8'))
const config = readConfig({ ...process.env, RISK_PROVIDER: 'development' }, findProject())
const db = await openDatabase(databaseSource(config))
try {
  const verdicts = await verifyAuditLogs(db.pool, kept)
  for (const { log, seal, broken } of verdicts) {
    process.stdout.write(seal === null ? `${log} is empty\n` : `${log} ${seal.number} ${seal.hash}\n`)
    if (!broken) continue
    const row = broken.rowId === null ? '' : `row ${broken.rowId}, `
    process.stdout.write(`  BROKEN at ${row}entry ${broken.number} of the chain: ${broken.what}\n`)
  }
  const unguarded = await unguardedTables(db.pool)
  for (const table of unguarded) process.stdout.write(`  UNGUARDED: the triggers of ${table} are missing or switched off\n`)
  const isWhole = unguarded.length === 0 && verdicts.every(({ broken }) => broken === null)
  process.stdout.write(isWhole ? 'The audit logs are whole.\n' : 'The audit logs are NOT whole.\n')
  if (!isWhole) process.exitCode = 1
} finally {
  await db.close()
}

/** The seals in the output of an earlier run. */
function sealsIn(text: string): Seal[] {
  const seals = [...text.matchAll(/^(\w+) (\d+) ([0-9a-f]{64})$/gm)].map(([, log = '', number, hash = '']) => ({
    log,
    number: Number(number),
    hash,
  }))
  if (seals.length === 0) throw new Error(`${values.kept} holds no seal of an earlier run`)
  return seals
}
