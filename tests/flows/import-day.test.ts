import fs from 'node:fs'
import path from 'node:path'
import Papa from 'papaparse'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkRows, sendRows } from '#src/features/patients/import/actions.ts'
import { guessColumns } from '#src/features/patients/import/model/columns.ts'
import { patientsKind } from '#src/features/patients/import/model/patients.ts'
import { type FileTable, readFile, readTable } from '#src/features/patients/import/model/read-file.ts'
import type { Device } from '#src/sync/device/device.ts'
import { ClinicDay } from '#tests/support/clinic-day.ts'

let day: ClinicDay
let maya: Device
beforeEach(async () => {
  day = await ClinicDay.begin()
  maya = await day.tablet().open({ subtle: crypto.subtle })
  await day.signIn(maya, 'maya')
})
afterEach(() => day.end())

const dataFolder = path.resolve(process.env.LORGNETTE_TEST_DATA ?? '../shared/data')
const fileOf = (...parts: string[]) => path.join(dataFolder, ...parts)

async function broughtIn(table: FileTable) {
  const checked = await checkRows(patientsKind, table, guessColumns(patientsKind, table.headers), '2026-11-22')
  const sent = await sendRows(patientsKind, maya, checked.good, {
    checkOnly: false,
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  expect(sent.failure).toBeNull()
  const count = (verdict: string) => sent.told.filter((told) => told.verdict === verdict).length
  return { ...checked, imported: count('imported'), already: count('already-there'), same: count('same-person') }
}

const columns = ['id', 'first name', 'last name', 'dob', 'address', 'city', 'state', 'zip', 'gender']
const csv = (names: readonly string[], seed: string) =>
  Papa.unparse([
    columns,
    ...names.map((name, at) => [`${seed}${at}`, name, 'Kin', '1980-01-02', '1 Depot Rd', 'Larkspur', 'IL', '60123', 'F']),
  ])

test('rows that are imported twice are there once', async () => {
  const table = { ...readTable(csv(['Ada', 'Bo', 'Cleo'], 'k')), encoding: 'UTF-8' }
  expect(await broughtIn(table)).toMatchObject({ imported: 3, already: 0, badRows: 0 })
  expect(await broughtIn(table)).toMatchObject({ imported: 0, already: 3, badRows: 0 })
})

const patientsFile = fileOf('synthea-patients-1k-messy', 'patients.csv')
test.skipIf(!fs.existsSync(patientsFile))(
  'a thousand patients of a messy file: each is imported or reported, and none twice',
  { timeout: 120_000 },
  async () => {
    const table = await readFile(new Blob([fs.readFileSync(patientsFile)]))
    const first = await broughtIn(table)
    expect(first.imported + first.same + first.already + first.badRows + first.repeated.length).toBe(table.lines.length)
    // A spreadsheet has dropped the leading zeros of every ZIP. An unknown ZIP of 00000 has become 0.
    expect([first.badRows, first.imported]).toEqual([0, table.lines.length])
    expect(first.mended).toHaveLength(table.lines.length)
    expect((await broughtIn(table)).imported).toBe(0)
  },
)

const namesFile = fileOf('names-intl', 'faker_names.csv')
const naughtyFile = fileOf('naughty-strings', 'blns.json')
test.skipIf(!fs.existsSync(namesFile) || !fs.existsSync(naughtyFile))(
  'names of all countries, and strings that break programs, arrive as written or are reported',
  { timeout: 120_000 },
  async () => {
    const { data } = Papa.parse<{ name: string }>(fs.readFileSync(namesFile, 'utf8'), { header: true, skipEmptyLines: true })
    const all = data.map(({ name }) => name)
    const few = all.filter((_, at) => at % Math.ceil(all.length / 1000) === 0)
    const naughty = (JSON.parse(fs.readFileSync(naughtyFile, 'utf8')) as string[]).filter((text) => !text.includes('\u0000'))
    for (const [names, seed] of [[few, 'n'] as const, [naughty, 'x'] as const]) {
      const table = { ...readTable(csv(names, seed)), encoding: 'UTF-8' }
      expect(table.lines).toHaveLength(names.length)
      const brought = await broughtIn(table)
      expect(brought.imported + brought.same + brought.already + brought.badRows + brought.repeated.length).toBe(names.length)
      expect(brought.imported).toBeGreaterThan(names.length / 3)
      const { pool } = day.server.db
      const kept = await pool.selectFrom('patients').select('first_name').where('last_name', '=', 'Kin').execute()
      const written = new Set(kept.map(({ first_name }) => first_name))
      // Names with the same letters count as one person. The import reports the second one, and the patient keeps the
      // first spelling.
      const missing = brought.good.filter(({ row }) => !written.has(row.patient.first_name))
      expect(missing.length).toBeLessThanOrEqual(brought.same)
    }
  },
)
