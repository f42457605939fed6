import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { openDatabase } from '#server/platform/db/open-database.ts'
import { findPerson } from '#server/domain/people/find-person.ts'
import { createPostgresDatabase, testEngine } from '#tests/support/test-database.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'lorgnette-first-'))
const { argv } = process
afterEach(() => {
  process.argv = argv
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

it('the first account is found by its name, however the keyboard encoded its letters', async () => {
  const postgres = testEngine === 'postgres' ? await createPostgresDatabase() : null
  vi.stubEnv('FIRST_PASSWORD', 'twelve letters')
  vi.stubEnv('LORGNETTE_DATA', folder)
  vi.stubEnv('DATABASE_URL', postgres?.url ?? '')
  const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const person = ['--username', ' Zoe\u0308 ', '--email', 'ZOE@example.com', '--first-name', 'Zo\u00eb', '--last-name', 'Reyes']
  process.argv = ['node', 'first-account', '--store', 'Main Street', '--time-zone', 'America/New_York', ...person]
  await import('#server/first-account.ts')
  expect(said).toHaveBeenCalledWith('zo\u00eb can sign in at Main Street.\n')

  const db = await openDatabase(postgres ? { postgresUrl: postgres.url } : { folder: path.join(folder, 'database') })
  expect(await findPerson(db.pool, 'Zo\u00eb')).toMatchObject({ username: 'zo\u00eb', email: 'zoe@example.com' })
  await db.close()
  await postgres?.drop()
})
