import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLogs } from '#server/platform/db/audit-logs.ts'
import { auditChain } from '#server/platform/db/migrations/0050-audit-chain.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { type Seal, unguardedTables, type Verdict, verdictsIn, verifyAuditLogs } from '#server/platform/db/verify-audit-logs.ts'
import { noteSecurityEvent } from '#server/domain/people/security-log.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let token: string
let seal: Seal
beforeAll(async () => {
  server = await startTestServer()
  token = (await server.signIn('maya')).access_token
  await server.signIn('ben')
  for (let at = 0; at < 3; at++) await noteEvent()
  const made = (await verifyAuditLogs(server.db.pool)).find(({ log }) => log === 'security_log')?.seal
  if (!made) throw new Error('there is no seal')
  seal = made
})
afterAll(() => server.close())

const noteEvent = () => noteSecurityEvent({ db: server.db, clock: server.clock }, { kind: 'exported', by: null })
const run = (statement: string, db: Kysely<Schema> = server.db.pool) => sql.raw(statement).execute(db)

/** The verdict on the security log after this was done to it, by somebody who owns the tables. It is then taken back. */
async function after(statements: string[], kept: Seal[] = []): Promise<Verdict | undefined> {
  const told: Verdict[] = []
  const takenBack = new Error('taken back')
  const tried = server.db.pool.transaction().execute(async (trx) => {
    for (const table of ['security_log', 'audit_chain']) await run(`alter table ${table} disable trigger user`, trx)
    for (const statement of statements) await run(statement, trx)
    told.push(...(await verdictsIn(trx, kept)))
    throw takenBack
  })
  await expect(tried).rejects.toBe(takenBack)
  return told.find(({ log }) => log === 'security_log')
}

describe('the verification names the first row that is not as it was written', () => {
  test.each([
    ['nothing was done', 'select 1', null],
    ['one was changed', `update security_log set id_user = 3 where id in (3, 4)`, { rowId: 3, what: 'the row or its entry was changed' }],
    ['one was deleted', `delete from security_log where id = 2`, { rowId: 2, what: 'the row is gone' }],
    ['one was deleted with its entry', `delete from audit_chain where row_id = 2`, { rowId: null, number: 2 }],
    [
      'one was added past the chain',
      `insert into security_log (id, at, kind, detail, times) values (999, now(), 'signed-in', '', 1)`,
      { rowId: 999, what: 'the row was added past the chain' },
    ],
  ])('when %s', async (_, statement, broken) => {
    const verdict = await after([statement])
    if (broken === null) expect(verdict?.broken).toBeNull()
    else expect(verdict?.broken).toMatchObject(broken)
  })

  test('when the end was cut off, by a seal that was kept', async () => {
    const cut = [`delete from audit_chain where row_id >= 4`, `delete from security_log where id >= 4`]
    expect(await after(cut)).toMatchObject({ broken: null })
    expect(await after(cut, [seal])).toMatchObject({ broken: { number: 4 } })
    expect(await after([], [seal])).toMatchObject({ broken: null })
  })

  test('when the whole chain was written again, by a seal that was kept', async () => {
    const row = `(select audit_row_text(to_jsonb(one)) from security_log as one where id = 5)`
    const again = [
      `update security_log set id_user = 2 where id = 5`,
      `update audit_chain set hash = sha256((select hash from audit_chain where log = 'security_log' and number = 4) || convert_to(${row}, 'UTF8'))
        where log = 'security_log' and number = 5`,
    ]
    expect(await after(again)).toMatchObject({ broken: null })
    expect(await after(again, [seal])).toMatchObject({ broken: { rowId: 5, what: 'the chain was written again since the kept seal' } })
  })
})

describe('rows of a log', () => {
  test.each([...auditLogs, 'audit_chain'])('of %s cannot be changed, deleted or emptied', async (table) => {
    const column = table === 'audit_chain' ? 'log' : 'at'
    for (const statement of [`update ${table} set ${column} = ${column}`, `delete from ${table}`, `truncate ${table} cascade`])
      await expect(run(statement), statement).rejects.toThrow('are only ever added')
  })

  test('of an act that was undone leave no entry', async () => {
    const undone = server.db.pool.transaction().execute(async (trx) => {
      await run(`insert into security_log (at, kind, detail, times) values (now(), 'signed-in', '', 1)`, trx)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect((await verifyAuditLogs(server.db.pool)).every(({ broken }) => broken === null)).toBe(true)
  })

  test('are chained in every log, when several are written at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, noteEvent))
    const patient = { first_name: 'Ada', street_address: '1 A St', city: 'Larkspur', state: 'NY', zip_code: '12345', gender: 'Female' }
    await server.request('POST', '/api/patient/add', { token, body: patient })
    const verdicts = await verifyAuditLogs(server.db.pool)
    expect(verdicts.map(({ log, broken }) => [log, broken])).toEqual(auditLogs.map((log) => [log, null]))
    expect(verdicts.find(({ log }) => log === 'security_log')?.seal?.number).toBe(25)
    expect(verdicts.find(({ log }) => log === 'patient_audit')?.seal?.number).toBeGreaterThan(0)
  })

  test('have guards, and the verification says where one is switched off', async () => {
    expect(await unguardedTables(server.db.pool)).toEqual([])
    await run('alter table patient_audit disable trigger audit_append_only')
    expect(await unguardedTables(server.db.pool)).toEqual(['patient_audit'])
  })
})

test('rows that were there before the chain are chained when it comes', async () => {
  for (const log of auditLogs) await run(`drop trigger audit_chained on ${log}; drop trigger audit_append_only on ${log}`)
  await run('drop table audit_chain; drop function audit_row_text(jsonb), chain_audit_row(), refuse_audit_change()')
  await run(`insert into security_log (at, kind, detail, times) values (now(), 'signed-in', '', 1)`)
  const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from security_log`.execute(server.db.pool)
  await auditChain.up(server.db.pool)
  const verdicts = await verifyAuditLogs(server.db.pool)
  expect(verdicts.every(({ broken }) => broken === null)).toBe(true)
  expect(verdicts.find(({ log }) => log === 'security_log')?.seal?.number).toBe(rows[0]?.rows)
  expect(await unguardedTables(server.db.pool)).toEqual([])
})
