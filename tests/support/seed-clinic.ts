import { sql } from 'kysely'
import type { Role } from '#contract/core/roles.ts'
import { gtin14, gtinCheckDigit } from '#contract/core/codes.ts'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import { hashPassword, pinLookup } from '#server/domain/people/passwords.ts'
import { defaultStoreSettings } from '#server/domain/people/store-settings.ts'
import type { Services } from '#server/platform/services.ts'

/** The password of every user in tests. */
export const seedPassword = 'lorgnette-demo'

export type SeedStore = { store_id: number; store_name: string; short_name: string; time_zone: string; is_warehouse: boolean }
export type SeedUser = { id_user: number; username: string; email: string; name: string; pin: string; role_ids: Role[]; store_id: number }
export type SeedFrame = { id_inventory: number; sku: string; serial: string; upc: string | null; store_id: number; status: InventoryStatus }
export type Seed = {
  stores: { downtown: SeedStore; eastside: SeedStore; warehouse: SeedStore }
  /** Maya is a manager and Ben a stock clerk, both in all stores. Ana is an optician in Downtown only. */
  users: { maya: SeedUser; ben: SeedUser; ana: SeedUser }
  vendors: { vendor_id: number; name: string }[]
  brands: { brand_id: number; vendor_id: number; name: string }[]
  /**
   * Thirty frames in each store. The 28th is Sold, the 29th Defective and the 30th Missing. All others are Ready for
   * Sale.
   */
  frames: { downtown: SeedFrame[]; eastside: SeedFrame[]; warehouse: SeedFrame[] }
}

const framesPerStore = 30
const identities = {
  stores: 'store_id',
  users: 'id_user',
  vendors: 'vendor_id',
  brands: 'brand_id',
  frames: 'id_inventory',
  products: 'id_product',
  models: 'id_model',
}

const stores: SeedStore[] = [
  { store_id: 1, store_name: 'Downtown', short_name: 'DT', time_zone: 'America/New_York', is_warehouse: false },
  { store_id: 2, store_name: 'Eastside', short_name: 'ES', time_zone: 'America/Chicago', is_warehouse: false },
  { store_id: 3, store_name: 'Central Warehouse', short_name: 'WH', time_zone: 'America/New_York', is_warehouse: true },
]
const people: (SeedUser & { first_name: string; last_name: string; stores: number[] })[] = [
  person(1, 'maya', 'Maya', 'Okonjo', '246810', 'manager', [1, 2, 3]),
  person(2, 'ben', 'Ben', 'Halvorsen', '135790', 'stock_clerk', [1, 2, 3]),
  person(3, 'ana', 'Ana', 'Teixeira', '112233', 'optician', [1]),
]
const vendors = ['Northlight Optical', 'Harbour Eyewear'].map((name, at) => ({ vendor_id: at + 1, name }))
const brands = ['Alder', 'Birch', 'Cedar', 'Dogwood'].map((name, at) => ({ brand_id: at + 1, vendor_id: (at % 2) + 1, name }))

/** Makes a small chain, the same in every test: three stores, three users, four brands, ninety frames. */
export async function seedClinic(services: Services): Promise<Seed> {
  const passwordHash = await hashPassword(seedPassword)
  const at = new Date(services.clock.now()).toISOString()
  const frames = stores.flatMap((store) => framesOf(store))

  await services.db.write(['chain'], async ({ trx, revision }) => {
    await trx
      .insertInto('stores')
      .values(stores.map((store) => ({ ...store, settings: JSON.stringify(defaultStoreSettings) })))
      .execute()
    await trx
      .insertInto('users')
      .values(
        people.map(({ id_user, username, email, first_name, last_name, pin, role_ids, store_id }) => ({
          id_user,
          username,
          email,
          first_name,
          last_name,
          role_ids,
          store_id,
          password_hash: passwordHash,
          pin_lookup: pinLookup(services.secrets, pin),
          disabled_at: null,
        })),
      )
      .execute()
    await trx
      .insertInto('user_stores')
      .values(people.flatMap(({ id_user, stores: theirs }) => theirs.map((store_id) => ({ id_user, store_id }))))
      .execute()
    await trx.insertInto('vendors').values(vendors).execute()
    await trx.insertInto('brands').values(brands).execute()
    await trx.insertInto('products').values(productsOf(frames, at)).execute()
    await trx.insertInto('models').values(modelsOf(frames, at)).execute()
    await trx
      .insertInto('frames')
      .values(frames.map((frame) => ({ ...frame, changed_at: at, receipt_at: at, version: 1, revision: revision('chain') })))
      .execute()
  })
  // The seeded rows have fixed ids, so new ids start after them.
  await services.db.write([], async ({ trx }) => {
    for (const [table, column] of Object.entries(identities)) {
      await sql`select setval(pg_get_serial_sequence(${table}, ${column}), 1000)`.execute(trx)
    }
  })

  const inStore = (store_id: number) =>
    frames
      .filter((frame) => frame.store_id === store_id)
      .map(({ id_inventory, sku, serial, upc, status }) => ({ id_inventory, sku, serial, upc, store_id, status }))
  const [downtown, eastside, warehouse] = stores as [SeedStore, SeedStore, SeedStore]
  const [maya, ben, ana] = people.map(({ id_user, username, email, name, pin, role_ids, store_id }) => ({
    id_user,
    username,
    email,
    name,
    pin,
    role_ids,
    store_id,
  })) as [SeedUser, SeedUser, SeedUser]
  return {
    stores: { downtown, eastside, warehouse },
    users: { maya, ben, ana },
    vendors,
    brands,
    frames: { downtown: inStore(1), eastside: inStore(2), warehouse: inStore(3) },
  }
}

function person(id_user: number, username: string, first_name: string, last_name: string, pin: string, role: Role, theirStores: number[]) {
  return {
    id_user,
    username,
    first_name,
    last_name,
    pin,
    email: `${username}@lorgnette.example`,
    name: `${first_name} ${last_name}`,
    role_ids: [role],
    store_id: 1,
    stores: theirStores,
  }
}

function framesOf(store: SeedStore) {
  return Array.from({ length: framesPerStore }, (_, at) => {
    const brand = brands[at % brands.length]!
    const model = at % 10
    const upc = upcOf(brand.brand_id * 100 + model)
    const number = (store.store_id - 1) * framesPerStore + at + 1
    const price = 9_900 + model * 2_500
    return {
      id_inventory: number,
      sku: `${store.short_name}-${String(at + 1).padStart(6, '0')}`,
      serial: `F${String(100_000 + number)}`,
      upc,
      gtin: gtin14(upc),
      status: statusOf(at),
      store_id: store.store_id,
      brand_id: brand.brand_id,
      vendor_id: brand.vendor_id,
      id_model: brand.brand_id * 100 + model,
      title_product: `${brand.name} ${600 + model}`,
      title_variant: at % 2 === 0 ? 'Matte Black' : 'Tortoise',
      size_lens_width: 50 + (at % 5),
      size_bridge_width: 17,
      size_temple_length: 140 + 5 * (at % 2),
      item_list_cost: price / 2,
      item_discount: 10,
      item_net: (price / 2) * 0.9,
      pb_selling_price: price,
      board_location: `B${1 + Math.floor(at / 10)}`,
      receipt_number: 'R-1001',
    }
  })
}

type SeedPiece = ReturnType<typeof framesOf>[number]

/**
 * Returns one frame of each model. A seeded model is one color and size, and the only model of its product. Both have
 * the same number.
 */
function firstOfEach(frames: readonly SeedPiece[]): SeedPiece[] {
  return [...new Map(frames.map((frame) => [frame.id_model, frame])).values()]
}

function productsOf(frames: readonly SeedPiece[], at: string) {
  return firstOfEach(frames).map(({ id_model, brand_id, title_product }) => ({
    id_product: id_model,
    brand_id,
    title: title_product,
    changed_at: at,
  }))
}

function modelsOf(frames: readonly SeedPiece[], at: string) {
  return firstOfEach(frames).map((frame) => ({
    id_model: frame.id_model,
    id_product: frame.id_model,
    title_variant: frame.title_variant,
    color_code: '',
    color_name: frame.title_variant,
    eye: frame.size_lens_width,
    bridge: frame.size_bridge_width,
    temple: frame.size_temple_length,
    upc: frame.upc,
    gtin: frame.gtin,
    list_cost: frame.item_list_cost,
    discount_pct: frame.item_discount,
    net_cost: frame.item_net,
    msrp: null,
    rule_factor: null,
    rule_ending: null,
    selling_price: frame.pb_selling_price,
    min_qty: 0,
    changed_at: at,
  }))
}

function statusOf(at: number): InventoryStatus {
  if (at === 27) return 'Sold'
  if (at === 28) return 'Defective'
  return at === 29 ? 'Missing' : 'Ready for Sale'
}

function upcOf(model: number): string {
  const digits = `0736${String(model).padStart(7, '0')}`
  return `${digits}${gtinCheckDigit(digits)}`
}
