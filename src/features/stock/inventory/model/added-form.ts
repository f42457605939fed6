import * as v from 'valibot'
import { addedFrames, type AddedFrames, type KnownProduct } from '#contract/stock/stock.ts'
import { keptUpc, notAUpc } from '#contract/stock/stock-codes.ts'
import { centsOf, notAnAmount, typedMoney } from '#src/ui/forms/typed-money.ts'

/** The values of the dialog's fields. */
export type AddedForm = Record<keyof Omit<AddedFrames, 'note'>, string> & { note: string }
export type AddedField = keyof AddedForm

export const emptyAdded: AddedForm = {
  brand_id: '',
  title_product: '',
  title_variant: '',
  size_lens_width: '',
  size_bridge_width: '',
  size_temple_length: '',
  upc: '',
  item_list_cost: '',
  item_discount: '',
  pb_selling_price: '',
  board_location: '',
  note: '',
  quantity: '1',
}

/** Fills the form with the data of a known model. */
export function formOfProduct(product: KnownProduct, before: AddedForm): AddedForm {
  const number = (value: number | null) => (value === null ? '' : String(value))
  return {
    ...before,
    brand_id: String(product.brand_id),
    title_product: product.title_product,
    title_variant: product.title_variant,
    size_lens_width: number(product.size_lens_width),
    size_bridge_width: number(product.size_bridge_width),
    size_temple_length: number(product.size_temple_length),
    upc: product.upc ?? '',
    item_list_cost: typedMoney(product.item_list_cost),
    item_discount: number(product.item_discount),
    pb_selling_price: typedMoney(product.pb_selling_price),
  }
}

type Problems = Partial<Record<AddedField, string>>

/** Returns the body of the call, or the problems by field. */
export function readAdded(form: AddedForm): { ok: true; added: AddedFrames } | { ok: false; problems: Problems } {
  const problems: Problems = {}
  const number = (field: AddedField, message: string): number | null => {
    const typed = form[field].trim()
    if (typed === '') return null
    if (/^\d{1,5}(\.\d{1,2})?$/.test(typed)) return Number(typed)
    problems[field] = message
    return null
  }
  const money = (field: AddedField): number | null => {
    const cents = centsOf(form[field])
    if (cents === undefined) problems[field] = notAnAmount
    return cents ?? null
  }
  const upc = form.upc.trim() === '' ? null : (keptUpc(form.upc)?.upc ?? '')
  if (upc === '') problems.upc = notAUpc
  if (form.brand_id === '') problems.brand_id = 'Select a brand'
  const read = v.safeParse(addedFrames, {
    brand_id: Number(form.brand_id),
    title_product: form.title_product,
    title_variant: form.title_variant,
    size_lens_width: number('size_lens_width', 'Enter millimeters, like 52'),
    size_bridge_width: number('size_bridge_width', 'Enter millimeters, like 17.5'),
    size_temple_length: number('size_temple_length', 'Enter millimeters, like 140'),
    upc,
    item_list_cost: money('item_list_cost'),
    item_discount: number('item_discount', 'Enter a percent, like 12.5'),
    pb_selling_price: money('pb_selling_price'),
    board_location: form.board_location.trim() || null,
    quantity: number('quantity', 'Enter a number from 1 to 100') ?? 0,
    ...(form.note.trim() !== '' && { note: form.note.trim() }),
  })
  for (const issue of read.issues ?? []) {
    const field = Object.keys(form).find((key) => key === v.getDotPath(issue)) as AddedField | undefined
    if (field) problems[field] ??= issue.message
  }
  return read.success && Object.keys(problems).length === 0 ? { ok: true, added: read.output } : { ok: false, problems }
}
