import * as v from 'valibot'
import {
  type CustomGlassesInput,
  customGlassesInput,
  type Model,
  type ModelInput,
  modelInput,
  type Product,
  type ProductInput,
  productInput,
} from '#contract/library/frame-library.ts'
import { type BookPrices, bookPrices, priced } from '#contract/library/price-book.ts'
import { keptUpc, notAUpc } from '#contract/stock/stock-codes.ts'
import { priceEndings } from '#contract/stock/stock-money.ts'
import { centsOf, notAnAmount, typedMoney } from '#src/ui/forms/typed-money.ts'
import type { Read } from '#src/domain/forms/form-dialog.tsx'

/** The values of the library's dialogs, and the functions that read them. */

type Problems = Partial<Record<string, string>>

/** Reads typed numbers and collects their problems. */
function reader(form: Record<string, string>) {
  const problems: Problems = {}
  const number = (field: string, message: string): number | null => {
    const typed = form[field]?.trim() ?? ''
    if (typed === '') return null
    if (/^\d{1,5}(\.\d{1,2})?$/.test(typed)) return Number(typed)
    problems[field] = message
    return null
  }
  const money = (field: string): number | null => {
    const cents = centsOf(form[field] ?? '')
    if (cents === undefined) problems[field] = notAnAmount
    return cents ?? null
  }
  const finish = <B>(schema: v.GenericSchema<unknown, B>, input: unknown): { ok: true; body: B } | { ok: false; problems: Problems } => {
    const read = v.safeParse(schema, input)
    for (const issue of read.issues ?? []) problems[v.getDotPath(issue)?.split('.').at(-1) ?? ''] ??= issue.message
    return read.success && Object.keys(problems).length === 0 ? { ok: true, body: read.output } : { ok: false, problems }
  }
  return { problems, number, money, finish }
}

const shown = (value: number | string | null) => (value === null ? '' : String(value))

export type ProductForm = Record<keyof ProductInput, string>

export function formOfProduct(product: Product | null): ProductForm {
  return {
    title: product?.title ?? '',
    material: product?.material ?? '',
    shape: product?.shape ?? '',
    gender: product?.gender ?? '',
    rim: product?.rim ?? '',
    launch_date: product?.launch_date ?? '',
    discontinued_at: product?.discontinued_at ?? '',
  }
}

export function readProduct(form: ProductForm): Read<ProductForm, ProductInput> {
  const { finish } = reader(form)
  const entries = Object.entries(form).map(([field, value]) => [field, field === 'title' ? value : value || null])
  return finish(productInput, Object.fromEntries(entries))
}

export type ModelForm = Record<keyof ModelInput | 'list_cost' | 'discount_pct' | 'msrp' | 'rule' | 'factor' | 'ending' | 'price', string>

/** A copy starts with the sizes of the other model, because the colors of a product share them. */
export function formOfModel(model: Model | null, like: Model | null = null): ModelForm {
  const of = model ?? like
  const rule = of?.prices.rule ?? null
  return {
    color_code: model?.color_code ?? '',
    color_name: model?.color_name ?? '',
    eye: shown(of?.eye ?? null),
    bridge: shown(of?.bridge ?? null),
    temple: shown(of?.temple ?? null),
    a: shown(of?.a ?? null),
    b: shown(of?.b ?? null),
    ed: shown(of?.ed ?? null),
    dbl: shown(of?.dbl ?? null),
    upc: model?.upc ?? '',
    min_qty: shown(of?.min_qty ?? 0),
    discontinued_at: model?.discontinued_at ?? '',
    list_cost: typedMoney(of?.prices.list_cost ?? null),
    discount_pct: shown(of?.prices.discount_pct ?? null),
    msrp: typedMoney(of?.prices.msrp ?? null),
    rule: rule?.kind ?? 'fixed',
    factor: rule?.kind === 'markup' ? String(rule.factor) : '',
    ending: rule?.kind === 'markup' ? rule.ending : '.00',
    price: typedMoney(of?.prices.selling_price ?? null),
  }
}

export function readModel(form: ModelForm): Read<ModelForm, { input: ModelInput; prices: BookPrices }> {
  const { problems, number, money, finish } = reader(form)
  const upc = form.upc.trim() === '' ? null : (keptUpc(form.upc)?.upc ?? '')
  if (upc === '') problems['upc'] = notAUpc
  const mm = (field: keyof ModelForm) => number(field, 'Enter millimeters, like 52 or 17.5')
  const read = finish(v.object({ input: modelInput, prices: bookPrices }), {
    input: {
      color_code: form.color_code,
      color_name: form.color_name,
      eye: mm('eye'),
      bridge: mm('bridge'),
      temple: mm('temple'),
      a: mm('a'),
      b: mm('b'),
      ed: mm('ed'),
      dbl: mm('dbl'),
      upc,
      min_qty: number('min_qty', 'Enter a number, like 2') ?? 0,
      discontinued_at: form.discontinued_at || null,
    },
    prices: {
      list_cost: money('list_cost'),
      discount_pct: number('discount_pct', 'Enter a percent, like 12.5'),
      msrp: money('msrp'),
      rule:
        form.rule === 'markup'
          ? { kind: 'markup', factor: number('factor', 'Enter a number, like 2.5') ?? 0, ending: form.ending }
          : { kind: 'fixed', cents: money('price') },
    },
  })
  if (!read.ok) return read
  if (read.body.input.color_name === '' && read.body.input.color_code === '') {
    return { ok: false, problems: { color_name: 'Enter a color' } }
  }
  const { problem } = priced(read.body.prices)
  return problem === null ? read : { ok: false, problems: { factor: problem } }
}

/** Returns the prices that the typed values result in, or null while they cannot be read. */
export function pricedForm(form: ModelForm) {
  const read = readModel({ ...form, color_name: 'x', upc: '', discontinued_at: '' })
  return read.ok ? priced(read.body.prices) : null
}

export const endingOptions = priceEndings.map((ending) => ({
  value: ending,
  label: ending === 'exact' ? 'No rounding' : `Ends in ${ending}`,
}))

export type CustomForm = Record<keyof CustomGlassesInput, string>

export function formOfCustom(model: Model): CustomForm {
  return {
    kind: 'one-off',
    color: model.title_variant,
    eye: shown(model.eye),
    bridge: shown(model.bridge),
    temple: shown(model.temple),
    selling_price: typedMoney(model.prices.selling_price),
    note: '',
  }
}

export function readCustom(form: CustomForm): Read<CustomForm, CustomGlassesInput> {
  const { number, money, finish } = reader(form)
  const mm = (field: keyof CustomForm) => number(field, 'Enter millimeters, like 52 or 17.5')
  return finish(customGlassesInput, {
    kind: form.kind,
    color: form.color,
    eye: mm('eye'),
    bridge: mm('bridge'),
    temple: mm('temple'),
    // A patient's own frame has no price.
    selling_price: form.kind === 'own' ? null : money('selling_price'),
    note: form.note,
  })
}

export type StockForm = { quantity: string; board_location: string; note: string }

export function readStock(form: StockForm): Read<StockForm, { quantity: number; board_location: string | null; note?: string }> {
  const quantity = /^\d{1,3}$/.test(form.quantity.trim()) ? Number(form.quantity) : 0
  if (quantity < 1 || quantity > 100) return { ok: false, problems: { quantity: 'Enter a number from 1 to 100' } }
  const note = form.note.trim()
  return { ok: true, body: { quantity, board_location: form.board_location.trim() || null, ...(note !== '' && { note }) } }
}
