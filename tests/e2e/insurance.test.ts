import type { Locator } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Insurance } from '#contract/insurance/insurance.ts'
import { plusMonths } from '#contract/insurance/insurance-benefits.ts'
import { usDate } from '#contract/core/us-date.ts'
import { longestPhotoSide } from '#contract/core/photo.ts'
import type { Patient } from '#contract/patients/patient.ts'
import { until } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { expectAccessibleAtEveryWidth } from '#tests/e2e/accessibility.ts'
import { feelNetwork, startsWithoutServer, toastSaid } from '#tests/e2e/screen.ts'

const t = e2eTablet({ as: 'ana' })
/** Patients of the store without insurance. Each `somebody()` takes one. */
let uninsured: Patient[]

beforeAll(async () => {
  const found = await Promise.all(
    ['a', 'b', 'm', 's'].map((name) => t.office.get<{ patients: Patient[] }>(`/api/patient/lookup?last_name=${name}`)),
  )
  const patients = found.flatMap((each) => each.patients)
  const policies = await Promise.all(patients.map(({ id }) => policiesOf(id)))
  uninsured = patients.filter(({ store_id }, index) => store_id === 1 && policies[index]?.length === 0)
})

const policiesOf = async (id: string) =>
  (await t.office.get<{ insurances: Insurance[] }>(`/api/patient/insurance?id_patient=${id}`)).insurances

function somebody(): Patient {
  const next = uninsured.shift()
  if (!next) throw new Error('The demo clinic has too few patients without insurance')
  return next
}

async function openInsurance(patient: Patient) {
  await t.page.goto(`${t.server.origin}/patient/${patient.id}/insurance`)
  await t.page.getByText('No insurance on file - self-pay.').waitFor()
}

const dialog = (name: string | RegExp) => t.page.getByRole('dialog', { name })
const card = () => t.page.getByRole('region', { name: 'Clear Harbour Vision · Choice' })
const benefit = (name: string) =>
  card()
    .getByRole('list', { name: 'Benefits' })
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`^${name}`) })

/** Fills in a company and a plan of the demo clinic. The plan fills in its usual payments. */
async function fillPolicy(form: Locator) {
  await form.getByLabel(/^Company/).selectOption({ label: 'Clear Harbour Vision' })
  await form.getByLabel(/^Plan/).selectOption({ label: 'Choice' })
  await form.getByLabel(/^Member ID/).fill('zx 8841')
}

async function addPolicy(patient: Patient) {
  await openInsurance(patient)
  await t.page.getByRole('button', { name: 'Add policy' }).click()
  await fillPolicy(dialog('Add policy'))
  await dialog('Add policy').getByRole('button', { name: 'Save' }).click()
  await toastSaid(t.page, 'Policy added')
}

/** A photo as from a camera, larger than the size that the server keeps. */
async function photo(width: number, height: number) {
  const encoded = await t.page.evaluate(
    ([across, down]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: across, height: down })
      const pen = canvas.getContext('2d')!
      pen.fillStyle = '#3a7'
      pen.fillRect(0, 0, across!, down!)
      return canvas.toDataURL('image/jpeg', 0.9).split(',')[1]!
    },
    [width, height],
  )
  return { name: 'card.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(encoded, 'base64') }
}

/** Returns the size of the photo that the server keeps, px. */
async function keptSize(path: string | null): Promise<{ width: number; height: number }> {
  if (path === null) throw new Error('No photo is kept')
  const answer = await fetch(t.server.origin + path, { headers: { authorization: `Bearer ${t.office.token}` } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('image/jpeg')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const encoded = Buffer.from(await answer.arrayBuffer()).toString('base64')
  return await t.page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const { width, height } = await createImageBitmap(new Blob([bytes]))
    return { width, height }
  }, encoded)
}

describe('the insurance of a patient', () => {
  let patient: Patient
  beforeEach(() => {
    patient = somebody()
  })

  test('a user adds a policy with its plan and two photos, edits it, and sees when each benefit is due', async () => {
    await openInsurance(patient)
    await t.page.getByRole('button', { name: 'Add policy' }).click()
    const adding = dialog('Add policy')
    await adding.getByRole('button', { name: 'Save' }).click()
    await adding.getByText('Fix 3 fields to save').waitFor()
    for (const field of [/^Company/, /^Coverage/, /^Member ID/]) {
      expect(await adding.getByLabel(field).getAttribute('aria-invalid'), String(field)).toBe('true')
    }

    await fillPolicy(adding)
    await expect.poll(() => adding.getByLabel('Frame allowance, $').inputValue()).toBe('140')
    await expect.poll(() => adding.getByLabel('Frame: months').inputValue()).toBe('24')
    await adding.getByLabel('Front of the card: camera').setInputFiles(await photo(3200, 2000))
    await adding.getByRole('img', { name: 'Front of the card' }).waitFor()
    await adding.getByLabel('Back of the card: file').setInputFiles(await photo(800, 500))
    await adding.getByRole('img', { name: 'Back of the card' }).waitFor()
    await adding.getByRole('button', { name: 'Save' }).click()
    await toastSaid(t.page, 'Policy added')
    await benefit('Frame').getByText('Eligible now').waitFor()

    const today = new Date().toISOString().slice(0, 10)
    const used = plusMonths(today, -2)
    await card().getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog('Edit policy').getByLabel('Frame: last used').fill(used)
    await dialog('Edit policy').getByLabel('Group number').fill('g-17')
    await dialog('Edit policy').getByRole('button', { name: 'Save' }).click()
    await toastSaid(t.page, 'Policy saved')
    await benefit('Frame')
      .getByText(`Eligible ${usDate(plusMonths(used, 24))}`)
      .waitFor()
    await benefit('Lenses').getByText('Eligible now').waitFor()
    await card().getByText('ZX 8841').waitFor()

    const [kept, ...others] = await policiesOf(patient.id)
    expect(others).toEqual([])
    expect(kept).toMatchObject({ member_id: 'ZX 8841', group_no: 'G-17', priority: 'primary', version: 2, used: { frame: used } })
    expect(await keptSize(kept?.front_photo ?? null)).toEqual({ width: longestPhotoSide, height: 1000 })
    expect(await keptSize(kept?.back_photo ?? null)).toEqual({ width: 800, height: 500 })
    await card().getByRole('button', { name: 'Front of the card' }).click()
    await t.page.getByRole('img', { name: 'Front of the card, Clear Harbour Vision · Choice' }).waitFor()
  })

  test('a user finds and attaches a holder, gets a taken priority refused, changes and detaches the holder', async () => {
    const child = somebody()
    await addPolicy(child)
    await addPolicy(patient)
    await card().getByRole('button', { name: 'Add a person' }).click()
    const adding = dialog('Add a person')
    await adding.getByPlaceholder('Name, date of birth or phone').fill(`${child.first_name} ${child.last_name}`)
    await adding.getByRole('button', { name: 'Find' }).click()
    await adding
      .getByRole('list', { name: 'Patients found' })
      .getByRole('button')
      .filter({ hasText: usDate(child.dob ?? '') })
      .first()
      .click()
    await adding.getByRole('button', { name: 'Save' }).click()
    const priority = adding.getByLabel('Priority for this patient')
    await adding.getByText('The patient already has a primary policy.').waitFor()
    expect(await priority.getAttribute('aria-invalid')).toBe('true')
    await priority.selectOption('secondary')
    await adding.getByRole('button', { name: 'Save' }).click()
    await toastSaid(t.page, 'Person added')

    const holder = card().getByRole('list', { name: 'Covered people' }).getByRole('listitem').filter({ hasNotText: '(this patient)' })
    await holder.getByText(/Child · Secondary/).waitFor()
    await holder.getByRole('button', { name: /^Edit/ }).click()
    await dialog('Edit covered person').getByLabel('Relationship to the subscriber').selectOption('spouse')
    await dialog('Edit covered person').getByRole('button', { name: 'Save' }).click()
    await toastSaid(t.page, 'Person updated')
    await holder.getByText(/Spouse · Secondary/).waitFor()
    expect((await policiesOf(child.id)).map((policy) => policy.priority)).toEqual(['primary', 'secondary'])

    await holder.getByRole('button', { name: /^Remove/ }).click()
    await t.page.getByRole('alertdialog').getByRole('button', { name: 'Remove from policy' }).click()
    await toastSaid(t.page, 'Person removed')
    await holder.waitFor({ state: 'detached' })
    expect(await policiesOf(child.id)).toHaveLength(1)
    expect(await policiesOf(patient.id)).toHaveLength(1)
  })

  test('shows the patient share of a price: $48 for a $200 frame with $140 and 20% off above', async () => {
    await addPolicy(patient)
    await card().getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog('Edit policy').getByLabel('Material copay, $').fill('')
    await dialog('Edit policy').getByRole('button', { name: 'Save' }).click()
    await toastSaid(t.page, 'Policy saved')
    await card().getByText('$140.00, then 20% off').waitFor()
    await card().getByRole('button', { name: 'Patient share' }).click()
    await card().getByLabel('Frame, $').fill('200')
    await card().getByRole('row', { name: 'Frame $200.00 $152.00 $48.00' }).waitFor()
    await card().getByLabel('Frame, $').fill('<script>')
    await card().getByRole('alert').waitFor()
  })

  test('keeps the typed fields and photos over a reload without the server, says so, and saves them once', async () => {
    await openInsurance(patient)
    await t.page.getByRole('button', { name: 'Add policy' }).click()
    const adding = dialog('Add policy')
    // The companies, their plans and the kinds of coverage come in three answers.
    await adding.getByLabel(/^Company/).selectOption({ label: 'Clear Harbour Vision' })
    await adding.getByRole('option', { name: 'Choice' }).waitFor({ state: 'attached' })
    await adding
      .getByLabel(/^Coverage/)
      .locator('option')
      .nth(1)
      .waitFor({ state: 'attached' })
    await startsWithoutServer(t.page)
    await t.server.kill()
    await fillPolicy(adding)
    await adding.getByLabel('Front of the card: file').setInputFiles(await photo(400, 300))
    await adding.getByRole('img', { name: 'Front of the card' }).waitFor()
    await adding.getByRole('button', { name: 'Save' }).click()
    await adding.getByText('What you typed is still here; save it when you’re back online.').waitFor()
    await t.page.reload()
    await t.page.getByText('Insurance isn’t stored on this device.').waitFor()
    await t.page.getByLabel('Photo of the card').setInputFiles(await photo(2400, 2400))
    await t.page.getByText('The photo is kept on this device.').waitFor()
    await t.page.reload()
    await t.page.getByText('The photo is kept on this device.').waitFor()

    await t.page.getByRole('button', { name: 'Continue' }).click()
    await dialog('Add policy').getByText('You need a connection to save.').waitFor()
    expect(
      await dialog('Add policy')
        .getByLabel(/^Member ID/)
        .inputValue(),
    ).toBe('zx 8841')
    await dialog('Add policy').getByRole('img', { name: 'Front of the card' }).waitFor()
    await t.server.start()
    await feelNetwork(t.page)
    await dialog('Add policy').getByText('You need a connection to save.').waitFor({ state: 'detached' })
    await dialog('Add policy').getByRole('button', { name: 'Save' }).click()
    await toastSaid(t.page, 'Policy added')
    await t.page.getByRole('button', { name: 'Resend' }).click()
    await toastSaid(t.page, 'Card added')
    const kept = await until(
      () => policiesOf(patient.id),
      (policies) => policies.length === 2,
      'both are at the server',
    )
    expect(kept.map(({ company_name, front_photo }) => [company_name, front_photo !== null])).toEqual([
      ['Clear Harbour Vision', true],
      [null, true],
    ])
    expect(await keptSize(kept[1]!.front_photo)).toEqual({ width: longestPhotoSide, height: longestPhotoSide })
    await t.page.reload()
    await card().waitFor()
    expect(await t.page.getByText('NOT SAVED').count()).toBe(0)
  })

  test('refuses hostile input with a code and at its field, and stores nothing', async () => {
    const fine = { id_patient: patient.id, company_name: 'Hostile & Sons', coverage_type_id: 1, member_id: 'M1', priority: 'primary' }
    const post = (body: unknown) => t.office.send<{ code: string; fields?: { path: string }[] }>('POST', '/api/patient/insurance', body)
    const bad: [Record<string, unknown>, string][] = [
      [{ company_name: '\u0000' }, 'company_name'],
      [{ company_name: '\ud83d\u200d' }, 'company_name'],
      [{ company_name: 'x'.repeat(5000) }, 'company_name'],
      [{ coverage_type_id: 2 ** 31 }, 'coverage_type_id'],
      [{ coverage_type_id: 1.5 }, 'coverage_type_id'],
      [{ priority: '__proto__' }, 'priority'],
      [{ effective_date: '2026-02-30' }, 'effective_date'],
      [{ effective_date: '2026-03-01', term_date: '2026-02-01' }, 'term_date'],
      [{ front_photo: Buffer.from('<svg onload="alert(1)">').toString('base64') }, 'front_photo'],
      [{ benefits: { frame_allowance_cents: -1 } }, 'benefits.frame_allowance_cents'],
      [{ used: { frame: '9999-12-31' } }, 'used.frame'],
    ]
    for (const [wrong, path] of bad) {
      const { status, body } = await post({ ...fine, ...wrong })
      expect([status, body.code, body.fields?.[0]?.path], JSON.stringify(wrong).slice(0, 80)).toEqual([
        422,
        'request-invalid',
        `body.${path}`,
      ])
    }
    expect((await post({ ...fine, coverage_type_id: 999 })).body.code).toBe('insurance-reference-unknown')
    expect(await policiesOf(patient.id)).toEqual([])
    const { companies } = await t.office.get<{ companies: { name: string }[] }>('/api/patient/insurance/companies')
    expect(companies.some(({ name }) => name.startsWith('Hostile'))).toBe(false)

    const name = '"><img src=x onerror=alert(1)> Ω≈ç√ ﷽ 田中'
    expect((await post({ ...fine, company_name: name })).status).toBe(200)
    await t.page.goto(`${t.server.origin}/patient/${patient.id}/insurance`)
    await t.page.getByRole('heading', { level: 2, name }).waitFor()
    expect(await t.page.locator('main img').count()).toBe(0)
  })
})

describe('insurance is accessible on a tablet and on a phone', () => {
  beforeAll(() => addPolicy(somebody()))
  afterEach(async () => {
    await t.page.reload()
    await card().waitFor()
  })

  test('the policy with the calculator', async () => {
    await card().getByRole('button', { name: 'Patient share' }).click()
    await card().getByLabel('Frame, $').fill('200')
    await card()
      .getByRole('row', { name: /^Total/ })
      .waitFor()
    await expectAccessibleAtEveryWidth(t.page)
  })

  test('the form with its errors and photos', async () => {
    await card().getByRole('button', { name: 'Edit', exact: true }).click()
    const editing = dialog('Edit policy')
    await editing.getByLabel(/^Member ID/).fill('')
    await editing.getByLabel('Exam copay, $').fill('ten')
    await editing.getByLabel('Front of the card: file').setInputFiles(await photo(400, 300))
    await editing.getByRole('img', { name: 'Front of the card' }).waitFor()
    await editing.getByRole('button', { name: 'Save' }).click()
    await editing.getByText('Fix 2 fields to save').waitFor()
    await expectAccessibleAtEveryWidth(t.page)
    await editing.getByRole('button', { name: 'Discard' }).click()
  })

  test('the search for a holder', async () => {
    await card().getByRole('button', { name: 'Add a person' }).click()
    await dialog('Add a person').getByPlaceholder('Name, date of birth or phone').fill('a')
    await dialog('Add a person').getByRole('button', { name: 'Find' }).click()
    await dialog('Add a person').getByRole('list', { name: 'Patients found' }).waitFor()
    await expectAccessibleAtEveryWidth(t.page)
  })

  test('the question before a holder is detached', async () => {
    await card().getByRole('button', { name: 'Remove from patient', exact: true }).click()
    await t.page.getByRole('alertdialog').getByRole('heading').waitFor()
    await expectAccessibleAtEveryWidth(t.page)
  })
})
