import * as v from 'valibot'
import type { Endpoint } from '#contract/core/endpoint.ts'
import { pageRequest } from '#contract/core/page.ts'
import { storeInvoiceEndpoints, type VendorInvoice } from '#contract/receiving/store-invoices.ts'
import { type Transfer, type TransferCard, transferEndpoints, type TransferTab } from '#contract/stock/transfers.ts'
import { isOpen as isReturnOpen } from '#contract/returns/vendor-return-rules.ts'
import { type VendorReturn, vendorReturnEndpoints } from '#contract/returns/vendor-returns.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'
import { keepAnswer, type Keeper, type KeptEndpoint, keptKey } from '#src/sync/device/kept-answers.ts'

/** The screens' questions to the server. Answers are kept by question, so all code that keeps them uses these. */
export const questions = {
  transfer: (id_transfer: string) => ({ params: { id_transfer } }),
  transfers: (tab: TransferTab) => pageRequest({ tab }, 1),
  receipt: (id: string) => ({ params: { id } }),
  receipts: (tab: 'vendors' | 'stores') => pageRequest({ tab }, 1),
  vendorReturn: (id: string) => ({ params: { id } }),
  vendorReturns: (list: 'open' | 'done') => pageRequest({ list }, 1),
}

type Query = Record<string, string | undefined>
type Row = Record<string, unknown>

/** Where an answer is kept: for its own page, and in lists. */
export type Noun<T> = {
  endpoint: KeptEndpoint
  question: (id: string) => unknown
  idOf: (thing: T) => string
  list: KeptEndpoint
  /** The field with the rows of the list, and the id field of a row. */
  rows: string
  rowId: string
  /**
   * Whether a record belongs on a list. Null when only the server knows: then its row is replaced if the list has one.
   */
  fits: (thing: T, query: Query, store_id: number) => boolean | null
  isNewestFirst: (query: Query) => boolean
}

const underWay: readonly TransferCard['status'][] = ['sent', 'partly received']

export const keptNouns = {
  transfer: {
    endpoint: transferEndpoints.readTransfer,
    question: questions.transfer,
    idOf: ({ id_transfer }) => id_transfer,
    list: transferEndpoints.listTransfers,
    rows: 'transfers',
    rowId: 'id_transfer',
    fits({ status, from_store_id, to_store_id }, { tab }, store_id) {
      if (tab === 'to-send') return status === 'draft' && from_store_id === store_id
      if (tab === 'in-transit') return underWay.includes(status) && from_store_id === store_id
      if (tab === 'to-receive') return underWay.includes(status) && to_store_id === store_id
      return status !== 'draft' && !underWay.includes(status)
    },
    isNewestFirst: ({ tab }) => tab === 'done' || tab === 'to-send',
  } satisfies Noun<Transfer>,
  receipt: {
    endpoint: storeInvoiceEndpoints.readVendorInvoice,
    question: questions.receipt,
    idOf: ({ id_vendor_invoice }) => id_vendor_invoice,
    list: storeInvoiceEndpoints.listReceipts,
    rows: 'vendor_invoices',
    rowId: 'id_vendor_invoice',
    fits({ status, store_id: of }, query, store_id) {
      if (query['tab'] !== 'vendors') return false
      if (query['status'] !== undefined && query['status'] !== status) return false
      const isNarrowed = Object.keys(query).some((name) => name !== 'tab' && name !== 'page')
      return isNarrowed ? null : of === store_id
    },
    isNewestFirst: () => true,
  } satisfies Noun<VendorInvoice>,
  vendorReturn: {
    endpoint: vendorReturnEndpoints.readVendorReturn,
    question: questions.vendorReturn,
    idOf: ({ return_id }) => return_id,
    list: vendorReturnEndpoints.listVendorReturns,
    rows: 'return_invoices',
    rowId: 'return_id',
    fits: ({ status, store_id: of }, { list }, store_id) => of === store_id && isReturnOpen(status) === (list === 'open'),
    isNewestFirst: () => true,
  } satisfies Noun<VendorReturn>,
}

type Tablet = Pick<Device, 'hot' | 'serverNow' | 'session'>

/**
 * Keeps the server's answer to a write, for its own page and in the lists that have it. So a user without a connection
 * still sees all work of this tablet.
 */
export async function keepWritten<T extends Row>(device: Tablet, noun: Noun<T>, thing: T): Promise<void> {
  const keeper = keeperOf(device)
  if (!keeper) return
  const id = noun.idOf(thing)
  const key = keptKey(keeper, noun.endpoint, JSON.stringify(noun.question(id)))
  await keepAnswer(device.hot, keeper, key, { at: new Date(device.serverNow()).toISOString(), value: thing })
  await changeLists(device.hot, keeper, noun, id, thing)
}

/** Drops the kept answer of a deleted record. */
export async function forgetKept<T extends Row>(device: Tablet, noun: Noun<T>, id: string): Promise<void> {
  const keeper = keeperOf(device)
  if (!keeper) return
  await device.hot.facts.delete(keptKey(keeper, noun.endpoint, JSON.stringify(noun.question(id))))
  await changeLists(device.hot, keeper, noun, id, null)
}

function keeperOf({ session }: Pick<Device, 'session'>): Keeper | null {
  const { home } = session.state.getState()
  return home && { id_user: home.id_user, store_id: home.store_id }
}

const kept = v.object({ at: v.string(), value: v.looseObject({ total: v.number() }) })
const asked = v.object({ query: v.record(v.string(), v.optional(v.string())) })

/** `thing` is null for a deleted record. */
async function changeLists<T extends Row>(hot: HotDatabase, keeper: Keeper, noun: Noun<T>, id: string, thing: T | null): Promise<void> {
  const start = keptKey(keeper, noun.list, '')
  await hot.transaction('rw', hot.facts, async () => {
    for (const { key, value } of await hot.facts.where('key').startsWith(start).toArray()) {
      const read = v.safeParse(kept, value)
      const question = v.safeParse(asked, JSON.parse(key.slice(start.length)))
      if (!read.success || !question.success) continue
      const { query } = question.output
      const { at, value: list } = read.output
      const before = Array.isArray(list[noun.rows]) ? (list[noun.rows] as Row[]) : []
      const after = rowsWith(before, noun, id, thing, query, keeper.store_id)
      if (!after) continue
      // The schema of the list removes the fields that only the record itself has.
      const made = v.safeParse((noun.list as Endpoint).response, {
        ...list,
        [noun.rows]: after,
        total: list.total + after.length - before.length,
      })
      if (made.success) await hot.facts.put({ key, value: { at, value: made.output } })
    }
  })
}

/** Returns null when the list does not change. */
function rowsWith<T extends Row>(
  rows: readonly Row[],
  noun: Noun<T>,
  id: string,
  thing: T | null,
  query: Query,
  store_id: number,
): Row[] | null {
  const place = rows.findIndex((row) => row[noun.rowId] === id)
  const fits = thing === null ? false : noun.fits(thing, query, store_id)
  if (place !== -1) return fits === false || !thing ? rows.toSpliced(place, 1) : rows.with(place, thing)
  if (fits !== true || !thing || query['page'] !== '1') return null
  return noun.isNewestFirst(query) ? [thing, ...rows] : [...rows, thing]
}
