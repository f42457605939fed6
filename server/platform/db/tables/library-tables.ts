import type { ColumnType, Generated } from 'kysely'
import type { BrandType, CustomGlassesInput, ModelInput, ProductInput } from '#contract/library/frame-library.ts'
import type { BookChange, BookPrices } from '#contract/library/price-book.ts'
import type { PriceEnding } from '#contract/stock/stock-money.ts'

/** The frame library and the price book. */
export type LibraryTables = {
  vendors: VendorTable
  brands: BrandTable
  products: ProductTable
  models: ModelTable
  library_history: LibraryHistoryTable
  custom_glasses: CustomGlassesTable
  model_upcs: ModelUpcTable
  model_photos: ModelPhotoTable
  model_prices: ModelPriceTable
  price_changes: PriceChangeTable
  price_change_items: PriceChangeItemTable
}

type VendorTable = {
  vendor_id: Generated<number>
  name: string
  account_no: Generated<string | null>
  terms: Generated<string | null>
  ra_policy: Generated<string | null>
}
type BrandTable = { brand_id: Generated<number>; vendor_id: number; name: string; type: Generated<BrandType> }
type ProductTable = { [Column in keyof Omit<ProductInput, 'title'>]: Generated<ProductInput[Column]> } & {
  id_product: Generated<number>
  brand_id: number
  title: string
  version: Generated<number>
  changed_at: string
}
/** What a model costs; `rule_factor` is null where the selling price is fixed. */
export type PriceColumns = {
  list_cost: number | null
  discount_pct: number | null
  net_cost: number | null
  msrp: number | null
  rule_factor: number | null
  rule_ending: PriceEnding | null
  selling_price: number | null
}
export type ModelTable = {
  id_model: Generated<number>
  id_product: number
  title_variant: string
  /** `upc` as 14 digits, see `contract/core/codes.ts`. */
  gtin: string | null
  version: Generated<number>
  changed_at: string
} & Omit<ModelInput, NotKnownOfPieces> & { [Column in NotKnownOfPieces]: Generated<ModelInput[Column]> } & PriceColumns
type NotKnownOfPieces = 'a' | 'b' | 'ed' | 'dbl' | 'discontinued_at'
type LibraryHistoryTable = {
  id: Generated<number>
  at: string
  id_user: number | null
  rep: string
  store_id: number | null
  action: string
  brand_id: number | null
  id_product: number | null
  id_model: number | null
  detail: string
}
type ModelPhotoTable = {
  id_model: number
  id_photo: string
  mime: string
  size: number
  sha256: string
  at: string
  id_user: number
  rep: string
}
type ModelUpcTable = { gtin: string; upc: string; id_model: number; at: string; rep: string }
type CustomGlassesTable = CustomGlassesInput & {
  id_custom: string
  id_model: number
  at: string
  id_user: number
  rep: string
  store_id: number
}
type ModelPriceTable = {
  id: Generated<number>
  id_model: number
  at: string
  id_user: number | null
  rep: string
  id_price_change: string | null
} & PriceColumns
type PriceChangeTable = {
  id_price_change: string
  effective_on: string
  time_zone: string
  change: ColumnType<BookChange, string, string>
  reprice_stock: boolean
  created_at: string
  created_by: number
  rep: string
  store_id: number
  applied_at: string | null
  cancelled_at: string | null
  cancelled_by: string | null
}
type PriceChangeItemTable = {
  id_price_change: string
  id_model: number
  before: ColumnType<BookPrices, string, string>
  after: ColumnType<BookPrices, string, string>
  outcome: Generated<'applied' | 'skipped' | null>
}
