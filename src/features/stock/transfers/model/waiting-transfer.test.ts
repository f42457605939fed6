import { describe, expect, test } from 'vitest'
import type { Frame } from '#contract/stock/frame.ts'
import type { Transfer } from '#contract/stock/transfers.ts'
import type { WaitingTransfer } from '#src/domain/transfers/record-transfer.ts'
import { listed, shownTransfer } from './waiting-transfer.ts'

const id_transfer = '0198c2f4-0000-7000-8000-000000000001'
const frame = (id_inventory: number) => ({ id_inventory, sku: `HARB-${id_inventory}` }) as Frame
const known = { frameOf: (id: number) => (id < 100 ? frame(id) : null), storeName: (id: number) => `Store ${id}` }
const told = {
  id_transfer,
  number: 12,
  status: 'draft',
  from_store_id: 1,
  pieces: 2,
  lines: [listed(frame(1)), listed(frame(2))],
  version: 3,
} as Transfer
const base = { id: 'c', title: '', store_id: 1, by: 'Ben', at: '2026-11-20T10:00:00.000Z', refusal: null }
const begin: WaitingTransfer = {
  ...base,
  kind: 'transfer.begin',
  body: { id_transfer, to_store_id: 2, reason: 'rebalancing', note: 'n' },
}
const put = (id_inventory: number, on = true): WaitingTransfer => ({
  ...base,
  kind: 'transfer.put',
  body: { id_transfer, id_inventory, on },
})
const send: WaitingTransfer = { ...base, kind: 'transfer.send', body: { id_transfer, items: [1] } }
const refused = (one: WaitingTransfer): WaitingTransfer => ({
  ...one,
  refusal: { code: 'store-foreign', message: 'no', status: 403, at: base.at },
})
const idsOf = (shown: ReturnType<typeof shownTransfer>) => shown?.lines.map((line) => line.frame.id_inventory)

describe('a transfer with what waits for it', () => {
  test('has what was put on it and taken off it here, in order, and says which wait', () => {
    const shown = shownTransfer(told, [put(3), put(1, false), put(4), put(3, false)], known)
    expect([idsOf(shown), shown?.pieces, [...shown!.waits.pieces]]).toEqual([[2, 4], 2, [3, 1, 4]])
  })

  test('takes what the server has done already for done', () => {
    const shown = shownTransfer(told, [put(1), put(7, false)], known)
    expect([idsOf(shown), shown?.waits.pieces.size]).toEqual([[1, 2], 0])
  })

  test('is not what the server refused of it', () => {
    const shown = shownTransfer(told, [refused(put(3)), refused(send)], known)
    expect([idsOf(shown), shown?.waits]).toEqual([[1, 2], { pieces: new Set(), send: false }])
  })

  test('is sent here before the server knows; what has left by another hand is as the server says', () => {
    expect(shownTransfer(told, [send], known)?.waits.send).toBe(true)
    const left = shownTransfer({ ...told, status: 'sent' }, [put(3), send], known)
    expect([idsOf(left), left?.waits.send]).toEqual([[1, 2], false])
  })

  test('that was begun here has no number yet; without its beginning nothing is known of it', () => {
    const shown = shownTransfer(undefined, [begin, put(3), put(400)], known)
    expect(shown).toMatchObject({ number: null, from_store: 'Store 1', to_store: 'Store 2', note: 'n', created_by: 'Ben', pieces: 1 })
    expect(idsOf(shown)).toEqual([3])
    expect(shownTransfer(undefined, [put(3)], known)).toBeUndefined()
    expect(shownTransfer(undefined, [refused(begin)], known)).toBeUndefined()
  })
})
