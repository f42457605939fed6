import * as v from 'valibot'
import { v7 as uuidv7 } from 'uuid'
import { keptUpc, notAUpc } from '#contract/stock/stock-codes.ts'
import { type FileLine, fileLine, fileRowsAtOnce, vendorFileEndpoints } from '#contract/receiving/vendor-files.ts'
import type { Device } from '#src/sync/device/device.ts'
import { centsOf, notAnAmount } from '#src/ui/forms/typed-money.ts'
import type { Mapping } from './columns.ts'
import type { ImportKind, ReadRow } from './import-kind.ts'

const targets = {
  upc: { label: 'UPC', names: ['upc code', 'ean', 'gtin', 'barcode', 'bar code', 'upc ean', 'upc as published'] },
  brand: { label: 'Brand', names: ['brand name', 'collection', 'line'] },
  title_product: { label: 'Model', names: ['model name', 'style', 'style name', 'product', 'frame', 'item'] },
  title_variant: { label: 'Color', names: ['colour', 'color name', 'frame color', 'colour name', 'color description'] },
  eye: { label: 'Lens, mm', names: ['eye', 'eye size', 'lens width', 'size', 'a'] },
  bridge: { label: 'Bridge, mm', names: ['bridge', 'dbl', 'bridge size'] },
  temple: { label: 'Temple, mm', names: ['temple', 'temple length'] },
  quantity: { label: 'Pieces', names: ['qty', 'quantity', 'qty shipped', 'shipped', 'units', 'quantity shipped'] },
  list_cost: { label: 'List cost', names: ['list', 'list price', 'wholesale', 'cost', 'list price usd'] },
  discount_pct: { label: 'Discount, %', names: ['discount', 'disc', 'discount percent'] },
  net_cost: { label: 'Net cost', names: ['net', 'net price', 'unit price', 'your price', 'price'] },
} as const satisfies ImportKind<never>['targets']
type Given = Partial<Record<string, string>>

/**
 * Reads a row of the vendor's file. Adds the leading zeros that a spreadsheet took from a UPC. A row without a quantity
 * is one piece.
 */
export function readVendorLine(given: Given): ReadRow<FileLine> {
  const problems: { field: string; message: string }[] = []
  const wrong = (target: keyof typeof targets, message: string) => void problems.push({ field: targets[target].label, message })
  const number = (target: 'eye' | 'bridge' | 'temple' | 'quantity' | 'discount_pct') => {
    const text = (given[target] ?? '').replace(/(mm|%)$/i, '').trim()
    if (text === '') return undefined
    if (/^\d+([.,]\d+)?$/.test(text)) return Number(text.replace(',', '.'))
    wrong(target, 'must be a number')
    return undefined
  }
  const money = (target: 'list_cost' | 'net_cost') => {
    const cents = centsOf(given[target] ?? '')
    if (cents === undefined) wrong(target, notAnAmount)
    return cents ?? null
  }
  const typed = (given['upc'] ?? '').trim()
  const upc = typed === '' ? null : keptUpc(typed)
  if (typed !== '' && !upc) wrong('upc', notAUpc)
  if (typed === '' && (!given['brand'] || !given['title_product'])) wrong('upc', 'or brand and model are required')
  // The net cost outweighs a list cost with a discount.
  const net = money('net_cost')
  const list = money('list_cost')
  const read = v.safeParse(fileLine, {
    upc: upc?.upc ?? null,
    brand: given['brand'] ?? '',
    title_product: given['title_product'] ?? '',
    title_variant: given['title_variant'] ?? '',
    eye: number('eye') ?? null,
    bridge: number('bridge') ?? null,
    temple: number('temple') ?? null,
    quantity: number('quantity'),
    list_cost: net ?? list,
    discount_pct: net === null ? (number('discount_pct') ?? null) : null,
  })
  if (!read.success) {
    for (const { path, message } of read.issues) wrong(String(path?.[0]?.key) as keyof typeof targets, message)
  }
  return read.success && problems.length === 0 ? { row: read.output, problems: null } : { row: null, problems }
}

const timeoutMs = 60_000
type Invoice = { id_vendor_invoice: string; vendor_id: number; vendor: string }

/** Imports the lines of a vendor's file onto one of their invoices. The server keeps the columns of each vendor. */
export function vendorLinesKind(device: Pick<Device, 'call'>, { id_vendor_invoice, vendor_id, vendor }: Invoice): ImportKind<FileLine> {
  const params = { vendor_id: String(vendor_id) }
  return {
    memory: `vendor-columns-${vendor_id}`,
    kept: {
      async read(headers) {
        const answer = await device.call(vendorFileEndpoints.vendorColumns, { params })
        if (!answer.ok) return null
        const known = Object.entries(answer.value.columns).filter(([target, header]) => target in targets && headers.includes(header))
        if (known.length === 0) return null
        return headers.map((header): Mapping[number] => known.find(([, kept]) => kept === header)?.[0] ?? null)
      },
      async write(headers, mapping) {
        const named = mapping.flatMap((target, at) => (target && headers[at] ? [[target, headers[at]] as const] : []))
        // A failure is harmless: the user then names the columns again next time.
        await device.call(vendorFileEndpoints.saveVendorColumns, { params, body: { columns: Object.fromEntries(named) } })
      },
    },
    targets,
    missing: (mapped) => (mapped.has('upc') || (mapped.has('brand') && mapped.has('title_product')) ? [] : ['UPC, or Brand and Model']),
    readRow: readVendorLine,
    // Every row is its own: the same model twice is two pieces.
    identity: () => uuidv7(),
    batch: fileRowsAtOnce,
    async send(to, rows, checkOnly) {
      const call = { params: { id: id_vendor_invoice }, body: { rows, check_only: checkOnly } }
      const answer = await to.call(vendorFileEndpoints.importInvoiceLines, call, { timeoutMs })
      if (!answer.ok) return answer
      return { ok: true, value: answer.value.results.map(({ verdict, why }) => ({ verdict, why, id: null })) }
    },
    words: {
      one: 'row',
      needs: 'Lines can’t be imported without',
      after: 'They’re on the invoice. Scan the frames to receive them.',
      comparing: 'Comparing with the frame library',
      known: `from ${vendor} already in the library`,
      same: 'the same',
    },
    placeOf: () => null,
  }
}
