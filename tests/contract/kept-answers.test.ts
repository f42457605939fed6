import { expect, test } from 'vitest'
import type { Endpoint } from '#contract/core/endpoint.ts'
import { endpoints } from '#contract/core/endpoints.ts'

test('an answer that a tablet keeps in the clear says nothing about patients', () => {
  const recent = Object.values<Endpoint>(endpoints).filter(({ cached }) => cached === 'recent')
  expect(recent.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    'GET /api/invoice/receipt',
    'GET /api/invoice/return_invoice/{id}',
    'GET /api/invoice/return_invoices',
    'GET /api/invoice/vendor_invoice/{id}',
    'GET /api/transfer',
    'GET /api/transfer/{id_transfer}',
  ])
})
