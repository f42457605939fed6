import type { Insertable } from 'kysely'
import { gtin14 } from '#contract/core/codes.ts'
import { genders, materials, rims, shapes, type BrandType } from '#contract/library/frame-library.ts'
import { netCost } from '#contract/stock/stock-money.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { demoBrands, type DemoBrand, type Variant } from '#server/demo/demo-catalog.ts'
import { demoPeople } from '#server/demo/demo-clinic.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

/** The frame library and the price book of the demo clinic: every style of its vendors, in stock or not. */

const typeOfStyle: Record<DemoBrand['style'], BrandType> = { optical: 'ophthalmic', sun: 'sun', children: 'kids', sport: 'safety' }
const managers = [...demoPeople]
  .filter(({ roles }) => roles.some((role) => role === 'manager'))
  .map(({ id_user, first_name, last_name }) => ({
    id_user,
    rep: `${first_name} ${last_name}`,
  }))

export const demoBrandRows = demoBrands.map(({ brand_id, vendor_id, name, style }) => ({
  brand_id,
  vendor_id,
  name,
  type: typeOfStyle[style],
}))

export const productColumns = {
  id_product: 'integer',
  brand_id: 'integer',
  title: 'text',
  material: 'text',
  shape: 'text',
  gender: 'text',
  rim: 'text',
  launch_date: 'date',
  discontinued_at: 'date',
  changed_at: 'timestamptz',
} as const

export const modelColumns = {
  id_model: 'integer',
  id_product: 'integer',
  title_variant: 'text',
  color_code: 'text',
  color_name: 'text',
  eye: 'double precision',
  bridge: 'double precision',
  temple: 'double precision',
  a: 'double precision',
  b: 'double precision',
  ed: 'double precision',
  dbl: 'double precision',
  upc: 'text',
  gtin: 'text',
  list_cost: 'bigint',
  discount_pct: 'double precision',
  net_cost: 'bigint',
  msrp: 'bigint',
  selling_price: 'bigint',
  min_qty: 'integer',
  changed_at: 'timestamptz',
} as const

export const modelPriceColumns = {
  id_model: 'integer',
  at: 'timestamptz',
  id_user: 'integer',
  rep: 'text',
  list_cost: 'bigint',
  discount_pct: 'double precision',
  net_cost: 'bigint',
  msrp: 'bigint',
  selling_price: 'bigint',
} as const

type Library = {
  products: Insertable<Schema['products']>[]
  models: Omit<Insertable<Schema['models']>, 'rule_factor' | 'rule_ending'>[]
  prices: Omit<Insertable<Schema['model_prices']>, 'rule_factor' | 'rule_ending' | 'id_price_change'>[]
}

export function demoLibrary(catalog: readonly Variant[], calendar: DemoCalendar, random: SeededRandom): Library {
  const library: Library = { products: [], models: [], prices: [] }
  const products = new Map<number, { launched: number; height: number }>()
  const inOrder = catalog.toSorted((a, b) => a.id_model - b.id_model)
  for (const variant of inOrder) {
    const { id_product, brand } = variant
    let product = products.get(id_product)
    if (!product) {
      product = { launched: random.int(950, 2400), height: random.int(30, 42) }
      products.set(id_product, product)
      library.products.push({
        id_product,
        brand_id: brand.brand_id,
        title: variant.title_product,
        material: brand.name === 'Kobayama' ? 'titanium' : random.pick(materials),
        shape: brand.style === 'sport' ? 'wrap' : random.pick(shapes),
        gender: brand.style === 'children' ? 'kids' : random.pick(genders.filter((gender) => gender !== 'kids')),
        rim: random.chance(0.8) ? 'full rim' : random.pick(rims),
        launch_date: calendar.daysAgo(product.launched).slice(0, 10),
        discontinued_at: random.chance(0.06) ? calendar.daysAgo(random.int(20, 200)).slice(0, 10) : null,
        changed_at: calendar.daysAgo(product.launched),
      })
    }
    addModel(library, variant, product, calendar, random)
  }
  return library
}

function addModel(
  library: Library,
  variant: Variant,
  { launched, height }: { launched: number; height: number },
  calendar: DemoCalendar,
  random: SeededRandom,
): void {
  const { id_model, title_variant, size_lens_width: eye, size_bridge_width: bridge } = variant
  const [code = '', ...color] = title_variant.split(' ')
  const prices = {
    list_cost: variant.item_list_cost,
    discount_pct: variant.item_discount,
    net_cost: netCost(variant.item_list_cost, variant.item_discount),
    msrp: Math.ceil((variant.pb_selling_price * 1.15) / 1000) * 1000 - 100,
    selling_price: variant.pb_selling_price,
  }
  library.models.push({
    id_model,
    id_product: variant.id_product,
    title_variant,
    color_code: code,
    color_name: color.join(' '),
    eye,
    bridge,
    temple: variant.size_temple_length,
    a: eye,
    b: height,
    ed: eye + random.int(1, 4),
    dbl: bridge,
    upc: variant.upc,
    gtin: gtin14(variant.upc),
    ...prices,
    min_qty: random.chance(0.3) ? random.int(1, 2) : 0,
    changed_at: calendar.daysAgo(random.int(40, 900)),
  })
  const by = random.pick(managers)
  // The price at the launch, a little lower.
  if (random.chance(0.5)) {
    const before = { ...prices, selling_price: prices.selling_price - 1000, msrp: prices.msrp - 1000 }
    library.prices.push({ id_model, at: calendar.daysAgo(launched), ...by, ...before })
  }
  library.prices.push({ id_model, at: calendar.daysAgo(random.int(40, 900)), ...by, ...prices })
}
