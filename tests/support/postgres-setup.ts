import type { TestProject } from 'vitest/node'
import '#tests/support/provided.ts'
import { openDatabase } from '#server/platform/db/open-database.ts'
import { startPostgres } from '#tests/support/postgres-server.ts'

/** One PostgreSQL for all files of the project, with the tables made once; each file copies them to a database of its own. */
export default async function setup(project: TestProject) {
  const server = await startPostgres()
  // Every database copies this one, tables and sorting included.
  const template = await openDatabase({ postgresUrl: new URL('/template1', server.url).href })
  await template.close()
  project.provide('postgresUrl', server.url)
  return () => server.stop()
}
