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

describe('a transfer with unsent work', () => {
  test('includes the pieces added and removed here, in order, and marks the unsent ones', () => {
    const shown = shownTransfer(told, [put(3), put(1, false), put(4), put(3, false)], known)
    expect([idsOf(shown), shown?.pieces, [...shown!.waits.pieces]]).toEqual([[2, 4], 2, [3, 1, 4]])
  })

  test('ignores work that the server already has', () => {
    const shown = shownTransfer(told, [put(1), put(7, false)], known)
    expect([idsOf(shown), shown?.waits.pieces.size]).toEqual([[1, 2], 0])
  })

  test('leaves out refused work', () => {
    const shown = shownTransfer(told, [refused(put(3)), refused(send)], known)
    expect([idsOf(shown), shown?.waits]).toEqual([[1, 2], { pieces: new Set(), send: false }])
  })

  test('shows as sent before the server has it; one that another user sent shows the server’s state', () => {
    expect(shownTransfer(told, [send], known)?.waits.send).toBe(true)
    const left = shownTransfer({ ...told, status: 'sent' }, [put(3), send], known)
    expect([idsOf(left), left?.waits.send]).toEqual([[1, 2], false])
  })

  test('has no number when it was started here, and is unknown without its first command', () => {
    const shown = shownTransfer(undefined, [begin, put(3), put(400)], known)
    expect(shown).toMatchObject({ number: null, from_store: 'Store 1', to_store: 'Store 2', note: 'n', created_by: 'Ben', pieces: 1 })
    expect(idsOf(shown)).toEqual([3])
    expect(shownTransfer(undefined, [put(3)], known)).toBeUndefined()
    expect(shownTransfer(undefined, [refused(begin)], known)).toBeUndefined()
  })
})
