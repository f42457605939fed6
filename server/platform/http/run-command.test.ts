import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Permission } from '#contract/core/roles.ts'
import { runCommand } from '#server/platform/http/run-command.ts'
import { defineUseCase } from '#server/platform/http/use-case.ts'
import { passGate } from '#server/platform/http/session-gate.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('does nothing for who may not, whichever call it stands behind', async () => {
  const headers = new Headers({ authorization: `Bearer ${(await server.signIn('ben')).access_token}` })
  const scope = await passGate(server.services, 'signed-in', headers)
  if (!scope) throw new Error('nobody is signed in')
  const apply = vi.fn(() => Promise.resolve({ rows: [] }))
  const run = (permission: Permission) => {
    const useCase = defineUseCase('count.recount', { permission, scopes: () => [], apply })
    return runCommand({ services: server.services, scope, headers, address: '127.0.0.1' }, useCase, (id) => ({ id_count_sheet: id }))
  }
  await expect(run('count.close')).rejects.toMatchObject({ code: 'permission-missing' })
  expect(apply).not.toHaveBeenCalled()
  await run('count.scan')
  expect(apply).toHaveBeenCalledOnce()
})
