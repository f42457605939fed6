import { expect, test } from 'vitest'
import type { Endpoint } from '#contract/core/endpoint.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import { type Transfer, type TransferCard, transferEndpoints, type TransferTab } from '#contract/stock/transfers.ts'
import { keepOpenStock } from '#src/domain/kept-stock/keep-open-stock.ts'
import { keepAnswer, type KeptEndpoint, keptKey, readKept } from '#src/sync/device/kept-answers.ts'
import { forgetKept, keepWritten, keptNouns, questions } from '#src/domain/kept-stock/kept-stock.ts'
import { mayasHome, screenDevice, unreachable, type Answers } from '#tests/support/screen-device.ts'

const home: HomeInfo = { ...mayasHome, permissions: ['frame.look-up', 'frame.transfer'] }
const keeper = { id_user: home.id_user, store_id: home.store_id }

const card = (nth: number, more: Partial<TransferCard> = {}): TransferCard => ({
  id_transfer: `0198c2f4-0000-7000-8000-00000000000${nth}`,
  number: nth,
  status: 'sent',
  from_store_id: 2,
  from_store: 'Mill Lane',
  to_store_id: 1,
  to_store: 'Harbour Street',
  reason: 'rebalancing',
  note: '',
  carrier: '',
  tracking: '',
  discrepancy: '',
  created_by: 'Ben',
  created_at: '2026-11-20T10:00:00.000Z',
  sent_by: 'Ben',
  sent_at: '2026-11-20T11:00:00.000Z',
  closed_at: null,
  pieces: 2,
  arrived: 0,
  version: 2,
  ...more,
})
const whole = (nth: number, more: Partial<TransferCard> = {}): Transfer => ({ ...card(nth, more), lines: [] })
const listOf = (...transfers: TransferCard[]) => ({ transfers, page: 1, page_size: 50, total: transfers.length })

async function tablet(answers: Answers = () => unreachable) {
  const made = screenDevice({ signedIn: true, answers })
  made.state.setState({ home })
  await made.hot.session.put({ key: 'session', access_token: 'a', refresh_token: 'r', home, serial: 1 })
  const keyOf = (endpoint: KeptEndpoint, question: unknown) => keptKey(keeper, endpoint, JSON.stringify(question))
  const { listTransfers, readTransfer } = transferEndpoints
  const list = async (tab: TransferTab) => {
    const kept = await readKept(made.hot, keyOf(listTransfers, questions.transfers(tab)), listTransfers)
    return kept && [kept.value.total, kept.value.transfers.map(({ number, arrived }) => [number, arrived])]
  }
  return {
    ...made,
    list,
    keepList: (tab: TransferTab, ...cards: TransferCard[]) =>
      keepAnswer(made.hot, keeper, keyOf(listTransfers, questions.transfers(tab)), {
        at: '2026-11-25T08:00:00.000Z',
        value: listOf(...cards),
      }),
    read: async (nth: number) =>
      (await readKept(made.hot, keyOf(readTransfer, questions.transfer(card(nth).id_transfer)), readTransfer))?.value ?? null,
  }
}

test('the answer to a write is kept for its page and for the lists, so nothing is missing without a connection', async () => {
  const { device, list, keepList, read } = await tablet()
  await keepList('to-receive', card(1), card(2))
  await keepList('done')
  await keepWritten(device, keptNouns.transfer, whole(1, { status: 'partly received', arrived: 1, version: 3 }))
  expect((await read(1))?.arrived).toBe(1)
  expect(await list('to-receive')).toEqual([
    2,
    [
      [1, 1],
      [2, 0],
    ],
  ])
  await keepWritten(device, keptNouns.transfer, whole(1, { status: 'received', arrived: 2, version: 4 }))
  expect(await list('to-receive')).toEqual([1, [[2, 0]]])
  expect(await list('done')).toEqual([1, [[1, 2]]])
  await keepWritten(device, keptNouns.transfer, whole(3))
  expect(await list('to-receive')).toEqual([
    2,
    [
      [2, 0],
      [3, 0],
    ],
  ])
  expect(await list('in-transit')).toBeNull()
})

test('a deleted record is not kept', async () => {
  const { device, list, keepList, read } = await tablet()
  await keepList('to-receive', card(1))
  await keepWritten(device, keptNouns.transfer, whole(1))
  await forgetKept(device, keptNouns.transfer, card(1).id_transfer)
  expect([await read(1), await list('to-receive')]).toEqual([null, [0, []]])
})

test('an answer to a request from before a write does not undo the kept write', async () => {
  const { device, hot, read } = await tablet()
  const key = keptKey(keeper, transferEndpoints.readTransfer, JSON.stringify(questions.transfer(card(1).id_transfer)))
  await keepWritten(device, keptNouns.transfer, whole(1, { arrived: 1, version: 3 }))
  await keepAnswer(hot, keeper, key, { at: '2026-11-20T08:00:00.000Z', value: whole(1) })
  expect((await read(1))?.arrived).toBe(1)
})

test('the open transfers of both directions are fetched ahead, and again only when they have changed', async () => {
  const server = new Map([1, 2, 3].map((nth) => [card(nth).id_transfer, whole(nth)]))
  const asked: string[] = []
  const answers = (endpoint: Endpoint, request: unknown) => {
    const { query, params } = request as { query?: { tab: TransferTab }; params?: { id_transfer: string } }
    if (params) {
      asked.push(params.id_transfer.slice(-1))
      return { ok: true as const, value: server.get(params.id_transfer) }
    }
    if (endpoint.path !== '/api/transfer') return unreachable
    const all = { 'to-receive': [1], 'in-transit': [2], 'to-send': [], done: [3] }[query!.tab]
    return { ok: true as const, value: listOf(...all.map((nth) => server.get(card(nth).id_transfer)!)) }
  }
  const { device, list, read } = await tablet(answers)
  await keepOpenStock(device, () => false)
  expect(asked).toEqual(['2', '1'])
  expect(await list('done')).toEqual([1, [[3, 0]]])
  expect([(await read(1))?.number, (await read(2))?.number, await read(3)]).toEqual([1, 2, null])
  server.set(card(2).id_transfer, whole(2, { arrived: 1, version: 9 }))
  await keepOpenStock(device, () => false)
  expect(asked).toEqual(['2', '1', '2'])
  expect((await read(2))?.arrived).toBe(1)
})

test('fetching ahead stops when the server cannot be reached, and when it is over', async () => {
  const { device, calls } = await tablet()
  await keepOpenStock(device, () => false)
  expect(calls).toHaveLength(1)
  await keepOpenStock(device, () => true)
  expect(calls).toHaveLength(1)
})
