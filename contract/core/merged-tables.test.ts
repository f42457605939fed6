import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { errorCatalog } from '#contract/core/errors.ts'
import { permissionTable } from '#contract/core/roles.ts'
import { commandBodies, commandVersions, upcasts } from '#contract/sync/commands.ts'

const contract = join(import.meta.dirname, '..')

/** Returns the keys that the areas declare in files of this kind, duplicates included. */
async function declared(ending: string, isTable: (name: string) => boolean): Promise<string[]> {
  const files = readdirSync(contract, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending))
  const modules = await Promise.all(files.map((file) => import(join(contract, file)) as Promise<Record<string, object>>))
  return modules.flatMap((module) => Object.entries(module).flatMap(([name, table]) => (isTable(name) ? Object.keys(table) : []))).sort()
}

it.each([
  ['refusal', '-errors.ts', 'Errors', errorCatalog],
  ['permission', '-permissions.ts', 'Permissions', permissionTable],
  ['kind of command', '-command-kinds.ts', 'CommandKinds', commandVersions],
  ['body of a command', '-commands.ts', 'CommandBodies', commandBodies],
  ['upcast', '-commands.ts', 'Upcasts', upcasts],
])('each %s is declared by one area, and the central file has it', async (_, ending, table, merged) => {
  expect(await declared(ending, (name) => name.endsWith(table))).toEqual(Object.keys(merged).sort())
})
