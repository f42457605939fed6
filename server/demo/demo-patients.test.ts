import * as v from 'valibot'
import { beforeAll, describe, expect, test } from 'vitest'
import { invoiceAmounts, lineAmounts, paymentStatusOf } from '#contract/money/invoice-money.ts'
import { patientReturnStatuses } from '#contract/returns/patient-return-rules.ts'
import { pcpInput, pcpInputOf } from '#contract/patients/pcp.ts'
import { pcpLetterInput } from '#contract/patients/pcp-letters.ts'
import { intakeAnswers } from '#contract/patients/portal.ts'
import { seedDemo } from '#server/demo/seed-demo.ts'
import { readInvitations } from '#server/features/patients/portal/invitation-rows.ts'
import { typeOfBytes } from '#contract/patients/file-types.ts'
import type { Services } from '#server/platform/services.ts'
import { emptyClinic, now, opened } from '#tests/support/empty-clinic.ts'

describe('the demo clinic', () => {
  let services: Services
  beforeAll(async () => {
    services = await emptyClinic()
    opened.pop()
    await seedDemo(services, { patients: 300 })
    return () => services.db.close()
  })

  test('has valid primary care providers, and most patients have one', async () => {
    const pcps = await services.db.pool.selectFrom('pcps').selectAll().execute()
    expect(pcps.length).toBeGreaterThanOrEqual(25)
    for (const row of pcps) expect(v.parse(pcpInput, pcpInputOf(row))).toEqual(pcpInputOf(row))
    const patients = await services.db.pool.selectFrom('patients').select('pcp_id').execute()
    const linked = patients.filter(({ pcp_id }) => pcp_id !== null).length
    expect(linked).toBeGreaterThan(300 * 0.7)
    expect(linked).toBeLessThan(300)
  })

  test('has letters to primary care providers, each about one of their patients and from the past', async () => {
    const letters = await services.db.pool
      .selectFrom('pcp_letters')
      .innerJoin('patients', 'patients.id', 'pcp_letters.id_patient')
      .select(['id_letter', 'id_pcp', 'sent_on', 'way', 'about', 'pcp_id'])
      .execute()
    expect(letters.length).toBeGreaterThan(10)
    for (const { pcp_id, ...letter } of letters) {
      expect(v.parse(pcpLetterInput, letter)).toEqual(letter)
      expect(pcp_id).toBe(letter.id_pcp)
      expect(Date.parse(letter.sent_on)).toBeLessThan(now)
    }
  })

  test('has files of some patients, and their bytes match their rows', async () => {
    const files = await services.db.pool.selectFrom('patient_files').selectAll().execute()
    expect(new Set(files.map(({ mime }) => mime))).toEqual(new Set(['application/pdf', 'image/png']))
    for (const file of files) {
      const bytes = Buffer.from(await new Response(await services.storage.get(file.file_path)).arrayBuffer())
      expect([typeOfBytes(bytes)?.mime, bytes.byteLength]).toEqual([file.mime, file.size])
    }
  })

  test('has messages of the past, only to patients who had agreed to them', async () => {
    const rows = await services.db.pool
      .selectFrom('messages')
      .innerJoin('patients', 'patients.id', 'messages.id_patient')
      .select([
        'messages.channel',
        'messages.at',
        'messages.status',
        'body',
        'phone',
        'email',
        'address',
        'sms_consent_at',
        'email_consent_at',
      ])
      .execute()
    expect(rows.length).toBeGreaterThan(60)
    for (const row of rows) {
      expect(row.at < new Date(now).toISOString()).toBe(true)
      expect(row.status).not.toBe('queued')
      if (row.channel === 'call') continue
      const [consentAt, address] = row.channel === 'sms' ? [row.sms_consent_at, row.phone] : [row.email_consent_at, row.email]
      expect([consentAt !== null && consentAt <= row.at, row.address]).toEqual([true, address])
      expect(row.body).not.toMatch(/[{}]/)
    }
  })

  test('has invitations to the portal in every state, with intakes and messages from patients', async () => {
    const { pool } = services.db
    const at = new Date(now).toISOString()
    const invitations = await readInvitations(pool, at, {})
    expect(invitations).toHaveLength(12)
    expect(new Set(invitations.map(({ status }) => status))).toEqual(new Set(['sent', 'accepted', 'expired', 'revoked']))
    expect(invitations.some(({ link }) => link === 'locked')).toBe(true)
    const intakes = await pool.selectFrom('portal_intakes').select(['at', 'reviewed_at', 'answers']).execute()
    expect(intakes.map(({ reviewed_at }) => String(reviewed_at === null)).sort()).toEqual(['false', 'true', 'true'])
    const messages = await pool.selectFrom('portal_messages').select(['at', 'done_at', 'id_answered']).execute()
    expect(messages.filter(({ done_at, id_answered }) => done_at === null && id_answered === null)).toHaveLength(3)
    for (const row of [...intakes, ...messages]) expect(row.at < at).toBe(true)
    for (const { answers } of intakes) expect(v.safeParse(intakeAnswers, answers).success).toBe(true)
  })

  test('has invoices with amounts: sold pieces on finalized ones, held pieces on drafts, and every way of paying', async () => {
    const { pool } = services.db
    const [invoices, items, payments] = await Promise.all([
      pool.selectFrom('invoices').selectAll().orderBy('invoice_no').execute(),
      pool.selectFrom('invoice_items').selectAll().execute(),
      pool.selectFrom('invoice_payments').selectAll().execute(),
    ])
    const patients = new Set(invoices.map(({ id_patient }) => id_patient))
    expect(patients.size).toBeGreaterThan(300 / 4)
    expect(patients.size).toBeLessThan(300 / 1.5)
    expect(invoices.map(({ invoice_no }) => invoice_no)).toEqual(invoices.map((_, at) => at + 1))
    const statuses = new Set<string>()
    for (const { id_invoice, status, date, finalized_at } of invoices) {
      const lines = items.filter((item) => item.id_invoice === id_invoice)
      const entries = payments.filter((payment) => payment.id_invoice === id_invoice)
      expect(lines.length).toBeGreaterThan(0)
      // An adjustment line takes returned items off the invoice.
      for (const line of lines) expect(lineAmounts(line).patient_cents >= 0).toBe(line.kind !== 'adjustment')
      for (const { at } of entries) expect([at > date, Date.parse(at) < now]).toEqual([true, true])
      if (status !== 'finalized') expect(entries).toEqual([])
      else expect(Date.parse(finalized_at!)).toBeLessThan(now)
      statuses.add(`${status} ${paymentStatusOf(invoiceAmounts(status, lines, entries))}`)
    }
    expect([...statuses]).toEqual(expect.arrayContaining(['draft unpaid', 'finalized paid', 'finalized partial', 'finalized unpaid']))
    expect(new Set(payments.map(({ kind }) => kind)).size).toBeGreaterThan(6)
    expect(new Set(items.map(({ kind }) => kind))).toEqual(
      new Set(['exam', 'service', 'frame', 'lens', 'lens_option', 'contact_lens', 'accessory', 'adjustment']),
    )

    const onFrames = await pool
      .selectFrom('invoice_items as line')
      .innerJoin('invoices', 'invoices.id_invoice', 'line.id_invoice')
      .innerJoin('frames', 'frames.id_inventory', 'line.id_inventory')
      .select(['line.id_inventory', 'invoices.status', 'frames.status as frame_status', 'frames.store_id', 'invoices.store_id as at_store'])
      .execute()
    expect(onFrames.length).toBeGreaterThan(20)
    expect(new Set(onFrames.map(({ id_inventory }) => id_inventory)).size).toBe(onFrames.length)
    for (const { status, frame_status, store_id, at_store } of onFrames) {
      expect([frame_status, store_id]).toEqual([status === 'draft' ? 'On Hold' : 'Sold', at_store])
    }
  })

  test('has patient returns in every state, and a confirmed one leaves the balance of its invoice unchanged', async () => {
    const { pool } = services.db
    const returns = await pool
      .selectFrom('patient_returns as back')
      .innerJoin('invoices', 'invoices.id_invoice', 'back.id_invoice')
      .selectAll('back')
      .select(['invoices.status as invoice_status', 'invoices.id_patient'])
      .execute()
    expect(new Set(returns.map(({ status }) => status))).toEqual(new Set(patientReturnStatuses))
    for (const back of returns) expect(back.invoice_status).toBe('finalized')
    const frames = await pool
      .selectFrom('patient_return_lines as line')
      .innerJoin('patient_returns as back', 'back.return_id', 'line.return_id')
      .innerJoin('invoice_items as item', 'item.item_sale_id', 'line.item_sale_id')
      .innerJoin('frames', 'frames.id_inventory', 'item.id_inventory')
      .where('back.status', '=', 'pending')
      .select(['frames.status', 'frames.store_id', 'back.store_id as brought_to'])
      .execute()
    expect(frames.length).toBeGreaterThan(0)
    for (const frame of frames) expect(frame).toMatchObject({ status: 'Sold', store_id: frame.brought_to })
    for (const { id_invoice, credit_cents } of returns.filter(({ status }) => status === 'confirmed')) {
      const items = await pool.selectFrom('invoice_items').selectAll().where('id_invoice', '=', id_invoice).execute()
      const entries = await pool.selectFrom('invoice_payments').selectAll().where('id_invoice', '=', id_invoice).execute()
      const before = invoiceAmounts(
        'finalized',
        items.filter(({ kind }) => kind !== 'adjustment'),
        entries.filter(({ kind }) => kind !== 'refund'),
      )
      expect(credit_cents).toBeGreaterThan(0)
      expect(invoiceAmounts('finalized', items, entries).pt_balance_cents).toBe(before.pt_balance_cents)
    }
  })
})
