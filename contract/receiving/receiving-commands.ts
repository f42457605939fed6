import * as v from 'valibot'
import { code, rowId, uuid } from '#contract/core/primitives.ts'
import type { receivingCommandKinds } from '#contract/receiving/receiving-command-kinds.ts'
import { mostReceived } from '#contract/receiving/vendor-invoice-rules.ts'

/** What each command of receiving says. */
export const receivingCommandBodies = {
  /** What a vendor delivered was scanned. Under `receive_id` it is received once, by this command or by the call whose answer was lost. */
  'vendor-invoice.receive': v.pipe(
    v.object({
      id_vendor_invoice: uuid,
      receive_id: uuid,
      code: v.nullable(code),
      id_model: v.nullable(rowId),
      /** The UPC of the label, which nobody knew: the chosen model's from now on. */
      learn: v.nullable(code),
      quantity: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostReceived)),
      /** A person keeps it although it is not what the paper says. Apps before version 2 never asked: what they send is received. */
      confirmed: v.optional(v.boolean(), true),
    }),
    v.check((asked) => (asked.code === null) !== (asked.id_model === null), 'needs either a code or a model'),
    v.check(({ id_model, learn }) => learn === null || id_model !== null, 'a UPC is learned for a model'),
  ),
} as const satisfies Record<keyof typeof receivingCommandKinds, v.GenericSchema>

export const receivingUpcasts = {
  'vendor-invoice.receive': { 1: (body: Record<string, unknown>) => ({ ...body, confirmed: true }) },
}
