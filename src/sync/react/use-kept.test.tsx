// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { type TransferCard, transferEndpoints } from '#contract/stock/transfers.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { keepAnswer, keptKey } from '#src/sync/device/kept-answers.ts'
import { keptPrefix } from '#src/sync/device/kept-prefix.ts'
import { useKept } from '#src/sync/react/use-kept.ts'
import { mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'

afterEach(cleanup)

const listOf = (total: number): Outcome<unknown> => ({
  ok: true,
  value: { transfers: [] as TransferCard[], page: 1, page_size: 50, total },
})
function Shown({ page }: { page: number }) {
  const { value, failure, keptAt } = useKept(transferEndpoints.listTransfers, { query: { tab: 'done', page: String(page) } })
  return <p>{[`total ${value?.total ?? 'none'}`, failure?.kind, keptAt && `of ${keptAt.slice(0, 4)}`].filter(Boolean).join(', ')}</p>
}

/** A tablet with Maya signed in. The test gives the server's answers. */
async function tablet(first: Outcome<unknown>) {
  const server = { answer: first }
  const made = screenDevice({ signedIn: true, answers: () => server.answer })
  await made.hot.session.put({ key: 'session', access_token: 'a', refresh_token: 'r', home: mayasHome, serial: 1 })
  const show = (page = 1) =>
    render(
      <DeviceProvider device={made.device}>
        <Shown page={page} />
      </DeviceProvider>,
    )
  return { ...made, server, show }
}
const keptIn = async (hot: HotDatabase) => await hot.facts.where('key').startsWith(keptPrefix).count()

test('an answer that was read once shows without a connection, with its time; one that was never read does not', async () => {
  const { server, show, hot } = await tablet(listOf(3))
  show()
  await screen.findByText('total 3')
  await waitFor(async () => expect(await keptIn(hot)).toBe(1))
  cleanup()
  server.answer = unreachable
  show()
  expect(await screen.findByText(/^total 3, unreachable, of \d{4}$/)).toBeTruthy()
  cleanup()
  show(2)
  expect(await screen.findByText('total none, unreachable')).toBeTruthy()
})

test('the kept answer shows until the server answers, and then the new one shows', async () => {
  const { device, server, show, hot } = await tablet(listOf(3))
  show()
  await waitFor(async () => expect(await keptIn(hot)).toBe(1))
  cleanup()
  let answer: (given: Outcome<unknown>) => void = () => undefined
  Object.assign(device, { call: () => new Promise((resolve) => (answer = resolve)) })
  show()
  await screen.findByText('total 3')
  await act(async () => answer(listOf(4)))
  await screen.findByText('total 4')
  await act(async () => void (server.answer = unreachable))
})

test('after a refusal the kept answer does not show', async () => {
  const { server, show, hot } = await tablet(listOf(3))
  show()
  await waitFor(async () => expect(await keptIn(hot)).toBe(1))
  cleanup()
  server.answer = refused(403, 'permission-missing')
  show()
  expect(await screen.findByText('total none, refused')).toBeTruthy()
})

test('a kept answer belongs to one user and one store', async () => {
  const { server, show, hot, state } = await tablet(listOf(3))
  show()
  await waitFor(async () => expect(await keptIn(hot)).toBe(1))
  server.answer = unreachable
  for (const other of [{ store_id: 2 }, { id_user: 2 }]) {
    cleanup()
    state.setState({ home: { ...mayasHome, ...other } })
    show()
    expect(await screen.findByText('total none, unreachable')).toBeTruthy()
  }
})

test('the newest two hundred stay, and nothing is kept for a user who has signed out', async () => {
  const { hot } = await tablet(listOf(0))
  const keeper = { id_user: mayasHome.id_user, store_id: 1 }
  const key = (nth: number) => keptKey(keeper, transferEndpoints.readTransfer, String(nth).padStart(3, '0'))
  for (let nth = 0; nth < 205; nth++) await keepAnswer(hot, keeper, key(nth), { at: new Date(nth * 1000).toISOString(), value: nth })
  expect(await keptIn(hot)).toBe(200)
  expect([await hot.facts.get(key(4)), (await hot.facts.get(key(5)))?.key]).toEqual([undefined, key(5)])
  await hot.session.clear()
  await keepAnswer(hot, keeper, key(300), { at: new Date().toISOString(), value: 1 })
  expect(await hot.facts.get(key(300))).toBeUndefined()
})
