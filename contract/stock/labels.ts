import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { frame } from '#contract/stock/frame.ts'
import { code, instant, rowId, uuid } from '#contract/core/primitives.ts'

/** Price labels of frames, and the pieces that wait for one. */

/** The most labels of one print, and the most waiting ones in one answer. */
export const mostLabels = 500

/** The paper for labels: `perPage` of them fit on one page, so the first page may be partly used. */
export const labelStocks = {
  'roll-57x32': { name: 'Roll 57 × 32 mm (2.25 × 1.25 in)', perPage: 1 },
  'jewellery-30299': { name: 'Jewelry tags, two across (Dymo 30299)', perPage: 2 },
  'letter-30': { name: 'Letter sheet of 30 (Avery 5160)', perPage: 30 },
} as const
export type LabelStock = keyof typeof labelStocks
export const labelStockNames = Object.keys(labelStocks) as [LabelStock, ...LabelStock[]]
export const usualLabelStock = 'roll-57x32' satisfies LabelStock

/** A piece that waits for a label. */
const labelRequest = v.object({ id_request: uuid, frame, asked_by: v.string(), asked_at: instant })
export type LabelRequest = v.InferOutput<typeof labelRequest>

const pieces = v.pipe(
  v.array(rowId),
  v.minLength(1),
  v.maxLength(mostLabels, `must be at most ${mostLabels}`),
  v.check((ids) => new Set(ids).size === ids.length, 'names a frame twice'),
)
const requests = v.pipe(v.array(uuid), v.minLength(1), v.maxLength(mostLabels, `must be at most ${mostLabels}`))

export const labelEndpoints = {
  printLabel: endpoint({
    method: 'GET',
    path: '/api/inventory/print-label',
    summary: 'The price label of one frame, by store tag, serial or number, as a PDF',
    access: 'frame.label',
    query: v.object({ sku: code, stock: v.optional(v.picklist(labelStockNames), usualLabelStock) }),
    answers: 'file',
    response: v.blob(),
    refuses: ['frame-unknown', 'frame-not-one', 'store-foreign', 'label-too-small'],
  }),
  printLabels: endpoint({
    method: 'POST',
    path: '/api/inventory/print-labels',
    summary: 'The price labels of many frames as one PDF, in the order given: all of them, or none',
    access: 'frame.label',
    body: v.object({
      /** Frames by their number. */
      items: pieces,
      stock: v.picklist(labelStockNames),
      /** Places of the first page that are used already. */
      skip: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(29)), 0),
    }),
    answers: 'file',
    response: v.blob(),
    refuses: ['frame-unknown', 'store-foreign', 'label-too-small'],
  }),
  listLabelRequests: endpoint({
    method: 'GET',
    path: '/api/inventory/label_requests',
    summary: 'Pieces of the store that one works in that wait for a label, the longest first',
    access: 'frame.label',
    response: v.object({ requests: v.array(labelRequest), total: v.number() }),
  }),
  requestLabels: endpoint({
    method: 'POST',
    path: '/api/inventory/label_requests',
    summary: 'Asks for labels; a piece that waits for one already goes on waiting for one',
    access: 'frame.label',
    body: v.object({ items: pieces }),
    response: v.object({ added: v.number(), waiting: v.number() }),
    refuses: ['frame-unknown', 'store-foreign'],
  }),
  settleLabelRequests: endpoint({
    method: 'POST',
    path: '/api/inventory/label_requests/settle',
    summary: 'The labels came out, or are not needed; what was settled before stays as it was',
    access: 'frame.label',
    body: v.object({ ids: requests, outcome: v.picklist(['printed', 'withdrawn']) }),
    response: v.object({ settled: v.number() }),
    refuses: ['label-request-unknown', 'store-foreign'],
  }),
} as const
