import type { TestProject } from 'vitest/node'
import '#tests/support/provided.ts'
import { openDatabase } from '#server/platform/db/open-database.ts'
import { startPostgres } from '#tests/support/postgres-server.ts'

/**
 * Starts one PostgreSQL for all files of the project and makes the tables once. Each file copies them to its own
 * database.
 */
export default async function setup(project: TestProject) {
  const server = await startPostgres()
  // Every database copies this one, with its tables and sort order.
  const template = await openDatabase({ postgresUrl: new URL('/template1', server.url).href })
  await template.close()
  project.provide('postgresUrl', server.url)
  return () => server.stop()
}
