import type { TestProject } from 'vitest/node'
import '#tests/support/provided.ts'
import { startPostgres } from '#tests/support/postgres-server.ts'

/** One PostgreSQL for all files of the project; each file makes a database of its own in it. */
export default async function setup(project: TestProject) {
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  return () => server.stop()
}
