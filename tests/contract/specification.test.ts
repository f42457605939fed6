import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '#contract/core/endpoint.ts'
import { endpoints } from '#contract/core/endpoints.ts'

/** The calls of the specification that this version serves exactly. */
const served = [
  'POST /api/auth/login',
  'POST /api/auth/login_with_pin',
  'POST /api/auth/logout',
  'POST /api/auth/token/refresh',
  'POST /api/timecard/check',
  'GET /api/timecard/session_status',
  'GET /api/home/home',
  'GET /api/home/set-stores-list',
  'POST /api/home/set_store',
  'POST /api/home/express_pass',
  'GET /api/home/patient/search',
  'POST /api/patient/add',
  'GET /api/patient/{id}',
  'PUT /api/patient/{id}',
  'GET /api/patient/lookup',
  'GET /api/patient/appointments',
  'GET /api/patient/payment-methods',
  'GET /api/patient/{id}/sms-history',
  'POST /api/patient/{id_patient}/send-sms',
  'GET /api/patient/{id}/email-history',
  'POST /api/patient/{id_patient}/send-email',
  'GET /api/patient/{id}/call-history',
  'POST /api/patient/{id_patient}/log-call',
  'GET /api/patient/latest-rx',
  'GET /api/patient/rx-list',
  'POST /api/patient/rx',
  'GET /api/patient/rx',
  'PUT /api/patient/rx',
  'DELETE /api/patient/rx/{id}',
  'GET /api/patient/file',
  'GET /api/patient/file/{id}',
  'PUT /api/patient/file/{id_file}',
  'GET /api/patient/{id_patient}/generate-filename-doc',
  'POST /upload/',
  'POST /api/patient/file',
  'GET /api/patient/insurance/plans',
  'GET /api/patient/insurance/companies',
  'GET /api/patient/insurance/coverage_types',
  'GET /api/patient/insurance',
  'POST /api/patient/insurance',
  'GET /api/patient/insurance/{id}/patient/{id_patient}',
  'PUT /api/patient/insurance/{id_insurance}',
  'POST /api/patient/insurance/{id_insurance}/holders',
  'PUT /api/patient/insurance/{id_insurance}/holders/{id_patient}',
  'DELETE /api/patient/insurance/{id_insurance}/holders/{id_patient}',
  'DELETE /api/patient/insurance/{id_insurance}/{id_patient}',
  'GET /api/inventory/lookup',
  'POST /api/inventory/update_state',
  'GET /api/inventory/history',
  'GET /api/inventory/brands',
  'GET /api/inventory/vendors',
  'GET /api/inventory/stores',
  'GET /api/inventory/all-filters',
  'GET /api/inventory/count_sheets',
  'POST /api/inventory/count_sheets',
  'DELETE /api/inventory/count_sheets',
  'GET /api/inventory/count_sheets/{id}',
  'PUT /api/inventory/count_sheets/{id}',
  'GET /api/inventory/count_sheets/items',
  'POST /api/inventory/count_sheets/items',
  'DELETE /api/inventory/count_sheets/items',
  'POST /api/inventory/count_sheets/close/{id}',
  'GET /api/invoice/receipt',
  'POST /api/invoice/create',
  'GET /api/invoice/view/{id}',
  'DELETE /api/invoice/delete/{id}',
  'GET /api/invoice/vendor_invoice/{id}',
  'PUT /api/invoice/vendor_invoices/{id}',
  'GET /api/invoice/vendor-contacts',
  'GET /api/invoice/view-item/{id}',
  'DELETE /api/invoice/delete-item',
  'GET /api/invoice/vendors',
]

describe('the specification', () => {
  it.each(served)('the table has %s under its own method and path', (call) => {
    const table = Object.values(endpoints as Record<string, Endpoint>).map((entry) => `${entry.method} ${entry.path}`)
    expect(table).toContain(call)
  })

  const folder = path.resolve(process.env.LORGNETTE_TEST_DATA ?? '../shared/data', '../spec')
  const list = path.join(folder, 'calls.tsv')
  it.skipIf(!fs.existsSync(list))('lists every call that this version claims to serve', () => {
    const rows = fs.readFileSync(list, 'utf8').trim().split('\n').slice(1)
    const calls = rows.map((row) => row.split('\t').slice(1, 3).join(' '))
    for (const call of served) expect(calls).toContain(call)
  })
})
