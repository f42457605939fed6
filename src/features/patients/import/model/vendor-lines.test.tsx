// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isGtin } from '#contract/core/codes.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { mayasHome, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { givenBy, guessColumns } from './columns.ts'
import { VendorFileScreen } from '../import-screen.tsx'
import { readTable } from './read-file.ts'
import { readVendorLine, vendorLinesKind } from './vendor-lines.ts'

// jsdom has no layout to scroll in.
beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  cleanup()
  localStorage.clear()
})

test('a row is read like the paper, and its lost leading zeros are added', () => {
  const { row } = readVendorLine({ upc: '36000291452', quantity: '3', eye: '52 mm', list_cost: '$1,080.50', discount_pct: '12,5%' })
  expect(row).toMatchObject({ upc: '036000291452', quantity: 3, eye: 52, list_cost: 108_050, discount_pct: 12.5 })
  // The net cost outweighs the list cost.
  expect(readVendorLine({ upc: '36000291452', list_cost: '100', discount_pct: '10', net_cost: '85' }).row).toMatchObject({
    quantity: 1,
    list_cost: 8500,
    discount_pct: null,
  })
})

test.each([
  [{ upc: '36000291453' }, 'UPC'],
  [{ title_product: 'Cove' }, 'UPC'],
  [{ brand: 'Aster', title_product: 'Cove', quantity: 'two' }, 'Pieces'],
  [{ brand: 'Aster', title_product: 'Cove', quantity: '0' }, 'Pieces'],
  [{ brand: 'Aster', title_product: 'Cove', list_cost: '1.234' }, 'List cost'],
])('%o reports a problem in %s', (given, field) => {
  expect(readVendorLine(given).problems?.map((problem) => problem.field)).toEqual([field])
})

const invoice = {
  id_vendor_invoice: '0198c2f4-0000-7000-8000-000000000001',
  vendor_id: 7,
  vendor: 'Northlight',
  vendor_invoice_no: 'NL-7',
  status: 'draft',
}

test('a user names a vendor’s columns once; every row is checked and then imported', async () => {
  const kept: { columns: Record<string, string> } = { columns: {} }
  const sent: { rows: { upc: string }[]; check_only: boolean }[] = []
  const { device, state } = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      const { body } = request as { body: never }
      const called = `${endpoint.method} ${endpoint.path}`.replace('/api/invoice/', '')
      if (called === 'GET vendor_invoice/{id}') return { ok: true, value: invoice }
      if (called === 'GET vendors/{vendor_id}/columns') return { ok: true, value: kept }
      if (called === 'PUT vendors/{vendor_id}/columns') return { ok: true, value: Object.assign(kept, body) }
      if (called !== 'POST vendor_invoices/{id}/import') return unreachable
      const asked = body as (typeof sent)[number]
      sent.push(asked)
      const done = asked.check_only ? 'new' : 'imported'
      return {
        ok: true,
        value: {
          results: asked.rows.map((_, at) =>
            at === 1 ? { verdict: 'left-out', why: 'No model has this UPC' } : { verdict: done, why: null },
          ),
        },
      }
    },
  })
  state.setState({ home: { ...mayasHome, permissions: ['vendor-invoice.read', 'vendor-invoice.write'] } })
  const show = () =>
    render(
      <DeviceProvider device={device}>
        <VendorFileScreen idVendorInvoice={invoice.id_vendor_invoice} back={null} />
      </DeviceProvider>,
    )
  const choose = async () => {
    const file = new File(['Artikel,Qty\n36000291452,2\n36000291469,1\n4711,1\n36000291452,1'], 'invoice.csv', { type: 'text/csv' })
    fireEvent.change(await screen.findByLabelText('CSV file'), { target: { files: [file] } })
  }
  const press = async (name: string) => {
    const button = await screen.findByRole('button', { name })
    await waitFor(() => expect(button).toHaveProperty('disabled', false))
    fireEvent.click(button)
  }
  show()
  await choose()
  expect(await screen.findByText(/Lines can’t be imported without: UPC/)).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Artikel →'), { target: { value: 'upc' } })
  await press('Check 4 rows')
  expect(await screen.findByText('2 rows ready to import')).toBeTruthy()
  expect(screen.getByRole('region', { name: '1 row with a problem, skipped' }).textContent).toContain('Line 4')
  expect(screen.getByRole('region', { name: '1 row that can’t be imported' }).textContent).toContain('Line 3: No model has this UPC')
  await press('Import 2 rows')
  expect(await screen.findByText('2 rows imported')).toBeTruthy()
  expect(sent.map(({ check_only, rows }) => [check_only, rows.map(({ upc }) => upc)])).toEqual([
    [true, ['036000291452', '036000291469', '036000291452']],
    [false, ['036000291452', '036000291469', '036000291452']],
  ])
  expect(kept.columns).toEqual({ upc: 'Artikel', quantity: 'Qty' })
  cleanup()
  // A tablet that has never read a file of this vendor.
  localStorage.clear()
  show()
  await choose()
  expect(await screen.findByLabelText('Artikel →')).toHaveProperty('value', 'upc')
})

const file = path.resolve(process.env['LORGNETTE_TEST_DATA'] ?? '../shared/data', 'frames-sunglasshut/skus.csv')
test.skipIf(!fs.existsSync(file))('a vendor’s complete list is read, and every refused row says why', () => {
  const { headers, lines } = readTable(fs.readFileSync(file, 'utf8'))
  const kind = vendorLinesKind({ call: () => Promise.resolve(unreachable) }, invoice)
  const mapping = guessColumns(kind, headers)
  expect(kind.missing(new Set(mapping.filter((target) => target !== null)))).toEqual([])
  let good = 0
  for (const { cells } of lines) {
    const { row, problems } = readVendorLine(givenBy(cells, mapping))
    if (row) {
      good += 1
      expect(row.upc === null || isGtin(row.upc)).toBe(true)
    } else expect(problems.length).toBeGreaterThan(0)
  }
  expect(good).toBeGreaterThan(lines.length * 0.9)
})
