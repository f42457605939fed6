// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Outcome } from '#src/api/outcome.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { useLoaded } from './use-loaded.ts'

afterEach(cleanup)

/** A screen that shows what the server tells, and how often it was asked. */
async function setUp(first: Outcome<string>) {
  const server = { answer: first, asked: 0 }
  const load = () => {
    server.asked += 1
    return Promise.resolve(server.answer)
  }
  function Told() {
    const { value, failure } = useLoaded(load)
    return <p>{value ?? failure?.kind ?? 'nothing yet'}</p>
  }
  const { device, connection } = screenDevice({ signedIn: true })
  const hear = (online: boolean) => act(async () => connection.setState({ online }))
  await hear(first.ok)
  await act(async () => {
    render(
      <DeviceProvider device={device}>
        <Told />
      </DeviceProvider>,
    )
  })
  return { server, hear, says: (words: string) => screen.getByText(words) }
}

test('what was not had without a connection is asked for once the server is back, by itself and once', async () => {
  const { server, hear, says } = await setUp(unreachable)
  says('unreachable')
  server.answer = { ok: true, value: 'the list' }
  await hear(true)
  says('the list')
  expect(server.asked).toBe(2)
  // What is there is not asked for again with every break.
  await hear(false)
  await hear(true)
  expect(server.asked).toBe(2)
})

test('a refusal is not asked for again: the connection has no part in it', async () => {
  const { server, hear, says } = await setUp(refused(403, 'permission-missing'))
  await hear(false)
  await hear(true)
  says('refused')
  expect(server.asked).toBe(1)
})
