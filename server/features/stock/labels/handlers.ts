import { Refusal } from '#contract/core/errors.ts'
import { type labelEndpoints, labelStocks, type LabelStock } from '#contract/stock/labels.ts'
import { drawLabels } from '#server/features/stock/labels/draw-labels.ts'
import { requestLabels, settleRequests, waitingRequests } from '#server/features/stock/labels/label-requests.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { runCommand } from '#server/platform/http/run-command.ts'
import { turnsOf } from '#server/platform/http/turns.ts'
import type { Services } from '#server/platform/services.ts'
import { assertTheirs, findFrame, framesOf } from '#server/domain/stock/find-frame.ts'
import type { FrameWithNames } from '#server/domain/stock/frame-rows.ts'

/** Price labels, and the requests for them. */
export const labelHandlers: HandlersOf<keyof typeof labelEndpoints> = {
  async printLabel({ services, scope, query, signal }) {
    const frame = await findFrame(services.db.pool, query.sku)
    await assertTheirs(services.db.pool, scope, [frame])
    return await pdfOf(services, signal, [frame], query.stock, 0)
  },

  async printLabels({ services, scope, signal, body: { items, stock, skip } }) {
    const { perPage } = labelStocks[stock]
    if (skip >= perPage) {
      throw new Refusal('request-invalid', { fields: [{ path: 'body.skip', message: `must be at most ${perPage - 1}` }] })
    }
    const frames = new Map((await framesOf(services.db.pool, scope, items)).map((frame) => [frame.id_inventory, frame]))
    const inOrder = items.flatMap((id) => frames.get(id) ?? [])
    return await pdfOf(services, signal, inOrder, stock, skip)
  },

  async listLabelRequests({ services, scope }) {
    return await waitingRequests(services.db.pool, scope.store_id)
  },

  async requestLabels(call) {
    const { services, scope, body } = call
    const { added = 0 } = await runCommand(call, requestLabels, () => ({ items: body.items }))
    return { added, waiting: (await waitingRequests(services.db.pool, scope.store_id)).total }
  },

  async settleLabelRequests({ services, scope, body }) {
    return { settled: await settleRequests(services, scope, body.ids, body.outcome) }
  },
}

/** Drawing keeps the processor busy, so it waits for its turn. @throws Refusal request-too-frequent, label-too-small */
async function pdfOf(
  { clock, db }: Services,
  signal: AbortSignal,
  frames: readonly FrameWithNames[],
  stock: LabelStock,
  skip: number,
): Promise<Response> {
  const pdf = await turnsOf(db).exports.take(signal, () => drawLabels(frames, stock, skip, clock.now()))
  return new Response(pdf, {
    headers: { 'content-type': 'application/pdf', 'cache-control': 'no-store', 'content-disposition': 'inline; filename="labels.pdf"' },
  })
}
