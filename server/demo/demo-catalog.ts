import { gtinCheckDigit } from '#contract/core/codes.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

/** The range of the demo clinic's vendors. Every name is made up. */

type Style = 'optical' | 'sun' | 'children' | 'sport'
type VendorEntry = { name: string; prefix: string; brands: { name: string; style: Style }[] }

// Prefixes that begin with 0 make UPCs with leading zeros, which spreadsheets drop. Prefixes with 4 are for a company's
// own use.
const vendors: VendorEntry[] = [
  {
    name: 'Pellworth Optics',
    prefix: '040117',
    brands: [
      { name: 'Quillmoor', style: 'optical' },
      { name: 'Tarnwick', style: 'optical' },
      { name: 'Glarewell', style: 'sun' },
    ],
  },
  {
    name: 'Castamere Eyewear Group',
    prefix: '471203',
    brands: [
      { name: 'Velmonde', style: 'optical' },
      { name: 'Orsolette', style: 'optical' },
      { name: 'Maravel Sun', style: 'sun' },
    ],
  },
  {
    name: 'Isenholt & Daughters',
    prefix: '042268',
    brands: [
      { name: 'Isenholt', style: 'optical' },
      { name: 'Brindlecote', style: 'optical' },
      { name: 'Little Brindle', style: 'children' },
    ],
  },
  {
    name: 'Norrvik Frame Works',
    prefix: '430951',
    brands: [
      { name: 'Norrvik', style: 'optical' },
      { name: 'Fjellsund', style: 'sport' },
    ],
  },
  {
    name: 'Harrowgate Vision Supply',
    prefix: '004382',
    brands: [
      { name: 'Harrow & Pike', style: 'optical' },
      { name: 'Penhallin', style: 'optical' },
      { name: 'Solgrave', style: 'sun' },
    ],
  },
  {
    name: 'Tessaro Ottica',
    prefix: '486640',
    brands: [
      { name: 'Tessaro', style: 'optical' },
      { name: 'Lido Vecchia', style: 'sun' },
      { name: 'Ceruleo', style: 'optical' },
    ],
  },
  {
    name: 'Kobayama Titanium',
    prefix: '045519',
    brands: [
      { name: 'Kobayama', style: 'optical' },
      { name: 'Hoshikage', style: 'optical' },
    ],
  },
  {
    name: 'Wrenfield Kids',
    prefix: '412077',
    brands: [
      { name: 'Puddlejack', style: 'children' },
      { name: 'Wren Minor', style: 'children' },
    ],
  },
  {
    name: 'Dunmarrow Trading',
    prefix: '009034',
    brands: [
      { name: 'Dunmarrow', style: 'optical' },
      { name: 'Saltmarsh', style: 'sun' },
    ],
  },
  {
    name: 'Alcazora Internacional',
    prefix: '455806',
    brands: [
      { name: 'Alcazora', style: 'optical' },
      { name: 'Playa Ombra', style: 'sun' },
      { name: 'Zafirel', style: 'optical' },
    ],
  },
  {
    name: 'Ridgeback Performance',
    prefix: '493318',
    brands: [
      { name: 'Ridgeback', style: 'sport' },
      { name: 'Cairnline', style: 'sport' },
    ],
  },
  {
    name: 'Thistledown Value Frames',
    prefix: '401425',
    brands: [
      { name: 'Thistle Basics', style: 'optical' },
      { name: 'Plainspoke', style: 'optical' },
    ],
  },
]

const modelWords: Record<Style, readonly string[]> = {
  optical: ['Aldous', 'Merrin', 'Corvane', 'Hollis', 'Ottoline', 'Sorrel', 'Bexley Row', 'Linnet', 'Marlowe', 'Fenna', 'Isolde', 'Garrick'],
  sun: ['Cove', 'Lagoon', 'Noonday', 'Palmera', 'Breakwater', 'Sirocco', 'Marina', 'Dune', 'Cabana', 'Meridian'],
  children: ['Acorn', 'Tadpole', 'Biscuit', 'Comet', 'Pebble', 'Firefly', 'Marble', 'Scooter'],
  sport: ['Switchback', 'Tempo', 'Summit', 'Paceline', 'Gale', 'Torrent', 'Contour', 'Relay'],
}

const colors: Record<Style, readonly string[]> = {
  optical: ['Matte Black', 'Tortoise', 'Crystal', 'Navy', 'Burgundy', 'Olive Horn', 'Brushed Gunmetal', 'Rose Gold', 'Slate', 'Honey'],
  sun: ['Black / Gray', 'Tortoise / Brown', 'Gold / Green', 'Crystal / Blue Mirror', 'Havana / Gradient', 'White / Smoke'],
  children: ['Blueberry', 'Raspberry', 'Lime', 'Grape', 'Tangerine', 'Sky'],
  sport: ['Black / Red', 'Graphite / Lime', 'White / Blue', 'Matte Olive', 'Smoke / Orange'],
}

const lensWidths: Record<Style, readonly [number, number]> = { optical: [47, 56], sun: [51, 60], children: [40, 47], sport: [54, 62] }
const listCosts: Record<Style, readonly [number, number]> = {
  optical: [3_200, 16_500],
  sun: [4_000, 19_000],
  children: [2_400, 7_800],
  sport: [5_200, 14_500],
}

export type DemoBrand = { brand_id: number; vendor_id: number; name: string; style: Style }
const termsOfVendors = ['Net 30', 'Net 60', '2 % 10, net 30', 'Net 30, free freight from 12 pieces']
const returnsOfVendors = [
  'RA number by phone. Defective within 24 months, exchange within 90 days of the invoice.',
  'RA number on the vendor’s website. Stock balance twice a year, up to 15 % of what was bought.',
  'Discontinued styles go back within 60 days of the notice; no RA number without the invoice.',
]
export const demoVendors = vendors.map(({ name, prefix }, index) => ({
  vendor_id: index + 1,
  name,
  account_no: `LC-${prefix.slice(2)}`,
  terms: termsOfVendors[index % termsOfVendors.length] ?? null,
  ra_policy: returnsOfVendors[index % returnsOfVendors.length] ?? null,
}))
export const demoBrands: DemoBrand[] = vendors
  .flatMap((vendor, index) => vendor.brands.map((brand) => ({ ...brand, vendor_id: index + 1 })))
  .map((brand, index) => ({ brand_id: index + 1, ...brand }))

/** One color and size of a model, which a UPC names. Prices and costs in cents, sizes in mm. */
export type Variant = {
  brand: DemoBrand
  id_product: number
  id_model: number
  title_product: string
  title_variant: string
  size_lens_width: number
  size_bridge_width: number
  size_temple_length: number
  upc: string
  item_list_cost: number
  item_discount: number
  pb_selling_price: number
}

/** Returns variants in no order. There are few enough that most have several pieces among `pieces` frames. */
export function catalogFor(pieces: number, random: SeededRandom): Variant[] {
  const modelsOfBrand = Math.min(60, Math.max(3, Math.round(pieces / (demoBrands.length * 24))))
  const itemNumbers = new Map<number, number>()
  const variants: Variant[] = []
  let idProduct = 0
  for (const brand of demoBrands) {
    for (let model = 0; model < modelsOfBrand; model++) {
      idProduct += 1
      variants.push(...variantsOfModel(brand, idProduct, model, itemNumbers, random))
    }
  }
  return random.shuffled(variants)
}

/** Three colors in two widths. */
const variantsOfEach = 6

function variantsOfModel(
  brand: DemoBrand,
  idProduct: number,
  model: number,
  itemNumbers: Map<number, number>,
  random: SeededRandom,
): Variant[] {
  const words = modelWords[brand.style]
  const title = `${words[model % words.length]} ${random.int(1, 9)}${String(model).padStart(2, '0')}`
  const cost = Math.round(random.int(...listCosts[brand.style]) / 50) * 50
  const narrowest = random.int(...lensWidths[brand.style])
  const bridge = random.int(brand.style === 'children' ? 14 : 16, brand.style === 'children' ? 17 : 20)
  const temple = brand.style === 'children' ? random.pick([120, 125, 130]) : random.pick([135, 140, 145, 150])
  const variants: Variant[] = []
  const firstColor = random.int(0, 9)
  for (let color = 0; color < 3; color++) {
    const names = colors[brand.style]
    const name = names[(firstColor + color) % names.length]
    for (const wider of [0, 2]) {
      variants.push({
        brand,
        id_product: idProduct,
        id_model: (idProduct - 1) * variantsOfEach + variants.length + 1,
        title_product: title,
        title_variant: `C${color + 1} ${name}`,
        size_lens_width: narrowest + wider,
        size_bridge_width: bridge,
        size_temple_length: temple,
        upc: nextUpc(brand.vendor_id, itemNumbers),
        item_list_cost: cost,
        item_discount: random.pick([0, 5, 10, 15, 20]),
        // A retail price ends in 9.00.
        pb_selling_price: Math.ceil((cost * 2.6) / 1000) * 1000 - 100,
      })
    }
  }
  return variants
}

function nextUpc(vendorId: number, itemNumbers: Map<number, number>): string {
  const item = (itemNumbers.get(vendorId) ?? 0) + 7
  itemNumbers.set(vendorId, item)
  const digits = `${vendors[vendorId - 1]!.prefix}${String(item).padStart(5, '0')}`
  return `${digits}${gtinCheckDigit(digits)}`
}
