// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Outcome } from '#src/api/outcome.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { useLoaded } from './use-loaded.ts'

afterEach(cleanup)

/** A screen that shows the server's answer, and the number of requests. */
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

test('a list that could not load without a connection loads once when the server is back', async () => {
  const { server, hear, says } = await setUp(unreachable)
  says('unreachable')
  server.answer = { ok: true, value: 'the list' }
  await hear(true)
  says('the list')
  expect(server.asked).toBe(2)
  // A loaded list is not fetched again after each break.
  await hear(false)
  await hear(true)
  expect(server.asked).toBe(2)
})

test('a refused request is not repeated: the connection does not matter', async () => {
  const { server, hear, says } = await setUp(refused(403, 'permission-missing'))
  await hear(false)
  await hear(true)
  says('refused')
  expect(server.asked).toBe(1)
})
