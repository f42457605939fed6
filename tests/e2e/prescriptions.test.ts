import fs from 'node:fs'
import type { Locator } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyRx, type Prescription } from '#contract/rx/prescription.ts'
import type { Patient } from '#contract/patients/patient.ts'
import { until } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { expectAccessibleAtEveryWidth } from '#tests/e2e/accessibility.ts'
import { feelNetwork, keptOn, startsWithoutServer, toastSaid } from '#tests/e2e/screen.ts'

const t = e2eTablet({ as: 'iris', office: 'iris' })
/** Patients of the store without a prescription. */
let unseen: Patient[]

beforeAll(async () => {
  const found = await Promise.all(
    ['a', 'b', 'm', 's'].map((name) => t.office.get<{ patients: Patient[] }>(`/api/patient/lookup?last_name=${name}`)),
  )
  const patients = found.flatMap((each) => each.patients).filter(({ store_id }) => store_id === 1)
  const lists = await Promise.all(patients.map(({ id }) => prescriptionsOf(id)))
  unseen = patients.filter((_, index) => lists[index]?.length === 0)
})

const prescriptionsOf = async (id: string) =>
  (await t.office.get<{ rx_list: Prescription[] }>(`/api/patient/rx-list?id_patient=${id}`)).rx_list

function somebody(): Patient {
  const next = unseen.shift()
  if (!next) throw new Error('The demo clinic has too few patients without a prescription')
  return next
}

async function begin(patient: Patient, kind: 'glasses' | 'contact lenses') {
  await t.page.goto(`${t.server.origin}/patient/${patient.id}/rx`)
  await t.page.getByRole('link', { name: `New for ${kind}` }).click()
  await t.page.getByRole('button', { name: 'Save draft' }).waitFor()
}

const eye = (name: 'OD, right' | 'OS, left', part = 'Powers') => t.page.getByRole('region', { name: part }).getByRole('group', { name })
/** Today in the prescriber's store. */
const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format()

/** Types a row of powers from its first field on, with Tab between the fields, as at a phoropter. */
async function typePowers(row: Locator, first: 'Sphere' | 'Power', values: readonly string[]) {
  await row.getByLabel(first, { exact: true }).selectText()
  for (const value of values) {
    await t.page.keyboard.type(value)
    await t.page.keyboard.press('Tab')
  }
}
const valuesOf = (row: Locator, fields: readonly string[]) =>
  Promise.all(fields.map((field) => row.getByLabel(field, { exact: true }).inputValue()))

async function sign() {
  await t.page.getByRole('button', { name: 'Sign', exact: true }).click()
  const dialog = t.page.getByRole('dialog', { name: 'Sign the prescription' })
  await dialog.getByLabel('Or type your full name').fill('Iris Lindqvist')
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click()
  await toastSaid(t.page, 'Prescription signed')
}

/** Returns the texts that stick out of a printed letter page, whose margins leave 7.5 inches. */
async function cutOffOnPaper(): Promise<string[]> {
  const view = t.page.viewportSize()
  await t.page.emulateMedia({ media: 'print' })
  await t.page.setViewportSize({ width: 720, height: 960 })
  const cut = await t.page
    .locator('.paper')
    .evaluate((paper) =>
      [...paper.querySelectorAll('th, td, p, dd, h1')]
        .filter((part) => part.getBoundingClientRect().right > innerWidth || part.getBoundingClientRect().width === 0)
        .map((part) => part.textContent ?? ''),
    )
  await t.page.emulateMedia({ media: null })
  if (view) await t.page.setViewportSize(view)
  return cut
}

describe('a prescription', () => {
  let patient: Patient
  beforeEach(() => {
    patient = somebody()
  })

  test('of glasses takes values as opticians type them, transposes, refuses wrong steps, and replaces the last one when signed', async () => {
    await begin(patient, 'glasses')
    const fields = ['Sphere', 'Cylinder', 'Axis']
    await typePowers(eye('OD, right'), 'Sphere', ['2', '150', '30'])
    expect(await valuesOf(eye('OD, right'), fields)).toEqual(['+2.00', '-1.50', '030'])
    await t.page.getByRole('button', { name: 'Transpose' }).click()
    expect(await valuesOf(eye('OD, right'), fields)).toEqual(['+0.50', '+1.50', '120'])
    await t.page.getByRole('button', { name: 'Transpose' }).click()
    await t.page.getByText('Spherical equivalent: OD +1.25').waitFor()

    await typePowers(eye('OS, left'), 'Sphere', ['-2.30'])
    await eye('OS, left').getByText('must be -2.50 or -2.25').waitFor()
    await eye('OS, left').getByRole('button', { name: '-2.25' }).click()
    await expect.poll(() => valuesOf(eye('OS, left'), ['Sphere'])).toEqual(['-2.25'])
    await t.page.getByText('One eye is plus and the other is minus').waitFor()
    await t.page.getByRole('button', { name: 'Copy OD to OS' }).first().click()
    await expect.poll(() => valuesOf(eye('OS, left'), fields)).toEqual(['+2.00', '-1.50', '030'])

    await t.page.getByRole('button', { name: 'Sign', exact: true }).click()
    await t.page.getByText('Some fields are missing or incorrect:').waitFor()
    await t.page.getByLabel('Exam date').fill(today)
    await t.page.getByLabel('Issue date').fill(today)
    await expect.poll(() => t.page.getByLabel('Expires').inputValue()).toBe(`${Number(today.slice(0, 4)) + 2}${today.slice(4)}`)
    await t.page.getByRole('button', { name: 'Sign', exact: true }).click()
    const dialog = t.page.getByRole('dialog', { name: 'Sign the prescription' })
    await dialog.getByRole('button', { name: 'Sign', exact: true }).click()
    await dialog.getByText('Sign in the field or type your name.').waitFor()
    const pad = await dialog.getByRole('img', { name: 'Sign here' }).boundingBox()
    if (!pad) throw new Error('There is no field to sign in')
    await t.page.mouse.move(pad.x + 40, pad.y + 60)
    await t.page.mouse.down()
    for (const [x, y] of [
      [80, 20],
      [120, 70],
      [180, 30],
    ] as const)
      await t.page.mouse.move(pad.x + x, pad.y + y, { steps: 4 })
    await t.page.mouse.up()
    await dialog.getByRole('button', { name: 'Sign', exact: true }).click()
    await toastSaid(t.page, 'Prescription signed')
    await t.page.getByRole('heading', { name: 'Active' }).waitFor()
    await t.page.getByRole('img', { name: 'Signature' }).waitFor()
    expect(await t.page.getByRole('button', { name: 'Save draft' }).count()).toBe(0)

    await t.page.getByRole('button', { name: 'Duplicate' }).click()
    await toastSaid(t.page, 'Copied into a new draft')
    await typePowers(eye('OD, right'), 'Sphere', ['-1'])
    await t.page.getByText(/OD: Sphere changed by more than 1.00 D since the last Rx/).waitFor()
    await t.page.getByLabel('Exam date').fill(today)
    await t.page.getByLabel('Issue date').fill(today)
    await sign()
    const [newest, former] = await prescriptionsOf(patient.id)
    expect([newest?.status, newest?.od.sphere, former?.status, former?.od]).toMatchObject([
      'active',
      -1000,
      'superseded',
      { sphere: 2000, cylinder: -1500, axis: 30 },
    ])
    expect(former?.signature?.kind).toBe('drawn')
    expect(await cutOffOnPaper()).toEqual([])
  })

  test('of contact lenses copies brand and fit from the signed one, and needs a medical reason for less than a year', async () => {
    await begin(patient, 'contact lenses')
    await typePowers(eye('OD, right'), 'Power', ['-275'])
    await t.page.getByRole('button', { name: 'Copy OD to OS' }).first().click()
    const lens = eye('OD, right', 'The lens')
    await lens.getByLabel('Brand', { exact: true }).focus()
    await t.page.getByRole('listbox').getByRole('option').nth(1).click()
    await lens.getByLabel('Type', { exact: true }).selectOption('soft_sphere')
    await lens.getByLabel('Wear time', { exact: true }).selectOption('daily')
    await expect.poll(() => lens.getByLabel('Manufacturer', { exact: true }).inputValue()).not.toBe('')
    await t.page.getByRole('region', { name: 'The lens' }).getByRole('button', { name: 'Copy OD to OS' }).click()
    await t.page.getByLabel('Exam date').fill(today)
    await t.page.getByLabel('Issue date').fill(today)
    await expect.poll(() => t.page.getByLabel('Expires').inputValue()).toBe(`${Number(today.slice(0, 4)) + 1}${today.slice(4)}`)
    await t.page.getByLabel('Expires').fill(new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10))
    await t.page.getByRole('button', { name: 'Sign', exact: true }).click()
    const reason = t.page.getByLabel('Medical reason for expiring in under a year')
    await t.page.getByText('Some fields are missing or incorrect:').waitFor()
    expect(await reason.getAttribute('aria-invalid')).toBe('true')
    await reason.fill('Keratoconus under observation')
    await sign()
    const [signed] = await prescriptionsOf(patient.id)
    expect(signed).toMatchObject({ status: 'active', expiry_reason: 'Keratoconus under observation', os: { power: -2750 } })
    expect(signed?.os.brand).toBe(signed?.od.brand)
    expect(await cutOffOnPaper()).toEqual([])
  })

  test('is exported as HL7 FHIR with a reason, and the file can be imported again', async () => {
    await begin(patient, 'glasses')
    await typePowers(eye('OD, right'), 'Sphere', ['-225', '-.5', '7'])
    await typePowers(eye('OS, left'), 'Sphere', ['pl'])
    await t.page.getByRole('button', { name: 'Save draft' }).click()
    await toastSaid(t.page, 'Draft saved')
    await t.page.getByRole('button', { name: 'Export (FHIR)' }).click()
    const saving = t.page.waitForEvent('download')
    await t.page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click()
    const file = await (await saving).path()
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toMatchObject({ resourceType: 'VisionPrescription' })

    const other = somebody()
    await t.page.goto(`${t.server.origin}/patient/${other.id}/rx`)
    await t.page.getByRole('button', { name: 'Import (FHIR)' }).click()
    const dialog = t.page.getByRole('dialog', { name: 'Import a prescription' })
    const choose = (text: string) =>
      dialog.getByLabel('File').setInputFiles({ name: 'rx.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    for (const hostile of [
      '{',
      '[]',
      'null',
      '{"resourceType":"Patient"}',
      '\u0000',
      '{"__proto__":{"resourceType":"VisionPrescription"}}',
    ]) {
      await choose(hostile)
      await dialog.getByRole('alert').waitFor()
      expect(await dialog.getByRole('button', { name: 'Create draft' }).isDisabled()).toBe(true)
    }
    await choose(fs.readFileSync(file, 'utf8'))
    await dialog.getByText('-2.25 -0.50 x 007').waitFor()
    await dialog.getByRole('button', { name: 'Create draft' }).click()
    await t.page.getByRole('button', { name: 'Save draft' }).waitFor()
    const [draft] = await prescriptionsOf(other.id)
    expect(draft).toMatchObject({ status: 'draft', od: { sphere: -2250, cylinder: -500, axis: 7 }, os: { sphere: 0 } })
  })

  test('keeps its draft over a reload without the server, says so, and is saved when the server is back', async () => {
    await begin(patient, 'glasses')
    await startsWithoutServer(t.page)
    await t.server.kill()
    await typePowers(eye('OD, right'), 'Sphere', ['-3', 'x1'])
    await t.page.getByRole('button', { name: 'Save draft' }).click()
    await t.page.getByText('NOT SAVED.').waitFor()
    await t.page.reload()
    await t.page.getByText('We restored your unsaved changes').waitFor()
    expect(await valuesOf(eye('OD, right'), ['Sphere', 'Cylinder'])).toEqual(['-3.00', 'x1'])
    await eye('OD, right').getByLabel('Cylinder', { exact: true }).fill('')
    await t.server.start()
    await feelNetwork(t.page)
    await t.page.getByRole('button', { name: 'Save draft' }).click()
    await toastSaid(t.page, 'Draft saved')
    expect((await prescriptionsOf(patient.id)).map(({ od }) => od.sphere)).toEqual([-3000])
  })

  test('keeps the signer’s name and the reason to withdraw over a reload, and forgets both afterwards', async () => {
    await begin(patient, 'glasses')
    await typePowers(eye('OD, right'), 'Sphere', ['-1'])
    await typePowers(eye('OS, left'), 'Sphere', ['-1'])
    await t.page.getByLabel('Exam date').fill(today)
    await t.page.getByLabel('Issue date').fill(today)
    const signing = t.page.getByRole('dialog', { name: 'Sign the prescription' })
    const name = signing.getByLabel('Or type your full name')
    await t.page.getByRole('button', { name: 'Sign', exact: true }).click()
    const drafts = async () => (await keptOn<{ key: string }>(t.page, 'facts')).filter(({ key }) => key.startsWith('draft ')).length
    const before = await drafts()
    await name.fill('Iris Lindqv')
    await until(drafts, (kept) => kept === before + 1, 'The name was not kept')
    await t.page.reload()
    await t.page.getByRole('button', { name: 'Sign', exact: true }).click()
    await signing.getByText('We restored your unsaved changes').waitFor()
    await expect.poll(() => name.inputValue()).toBe('Iris Lindqv')
    await name.fill('Iris Lindqvist')
    await signing.getByRole('button', { name: 'Sign', exact: true }).click()
    await toastSaid(t.page, 'Prescription signed')

    const withdrawing = t.page.getByRole('dialog', { name: 'Withdraw the prescription' })
    await t.page.getByRole('button', { name: 'Withdraw' }).click()
    const signed = await drafts()
    await withdrawing.getByLabel('Reason').fill('The wrong patient')
    await until(drafts, (kept) => kept === signed + 1, 'The reason was not kept')
    await t.page.reload()
    await t.page.getByRole('button', { name: 'Withdraw' }).click()
    await expect.poll(() => withdrawing.getByLabel('Reason').inputValue()).toBe('The wrong patient')
    await withdrawing.getByLabel('It was entered in error').check()
    await withdrawing.getByRole('button', { name: 'Withdraw' }).click()
    await toastSaid(t.page, 'Prescription marked as entered in error')
  })

  test('refuses hostile input with a code and at its field, and stores nothing', async () => {
    const { od } = emptyRx('spectacle')
    const fine = { id_patient: patient.id, rx_kind: 'spectacle' }
    const post = (body: unknown) => t.office.send<{ code: string; fields?: { path: string }[] }>('POST', '/api/patient/rx', body)
    const bad: [Record<string, unknown>, string][] = [
      [{ rx_kind: 'constructor' }, 'rx_kind'],
      [{ od: { ...od, sphere: -2300 } }, 'od.sphere'],
      [{ od: { ...od, sphere: 2 ** 53 } }, 'od.sphere'],
      [{ od: { ...od, cylinder: 1.5 } }, 'od.cylinder'],
      [{ od: { ...od, axis: 90 } }, 'od.axis'],
      [{ od: { ...od, brand: 'Any' } }, 'od.brand'],
      [{ os: 'left' }, 'os'],
      [{ exam_date: '2026-02-30' }, 'exam_date'],
      [{ notes_internal: '\u0000' }, 'notes_internal'],
      [{ notes_internal: 'x'.repeat(2001) }, 'notes_internal'],
      [{ npi: '12345' }, 'npi'],
    ]
    for (const [wrong, path] of bad) {
      const { status, body } = await post({ ...fine, ...wrong })
      expect([status, body.code, body.fields?.[0]?.path], JSON.stringify(wrong).slice(0, 80)).toEqual([
        422,
        'request-invalid',
        `body.${path}`,
      ])
    }
    expect((await post({ ...fine, provider_id: 2_147_483_647 })).body.code).toBe('rx-provider-unknown')
    expect(await prescriptionsOf(patient.id)).toEqual([])
  })
})

describe('prescriptions are accessible on a tablet and on a phone', () => {
  let patient: Patient
  beforeAll(() => {
    patient = somebody()
  })

  test('a draft of glasses with its errors and warnings', async () => {
    await begin(patient, 'glasses')
    await typePowers(eye('OD, right'), 'Sphere', ['-11', '-2.30'])
    await typePowers(eye('OS, left'), 'Sphere', ['+3'])
    await t.page.getByRole('button', { name: 'Sign', exact: true }).click()
    await t.page.getByText('Some fields are missing or incorrect:').waitFor()
    await expectAccessibleAtEveryWidth(t.page)
  })

  test('the calculators', async () => {
    await t.page.getByRole('button', { name: 'Calculators' }).first().click()
    await t.page.getByRole('dialog', { name: 'Calculators' }).getByRole('heading').first().waitFor()
    await expectAccessibleAtEveryWidth(t.page)
    await t.page.keyboard.press('Escape')
  })

  test('a draft of contact lenses with the brands that are offered', async () => {
    await begin(patient, 'contact lenses')
    await eye('OD, right', 'The lens').getByLabel('Brand', { exact: true }).focus()
    await t.page.getByRole('listbox').getByRole('option').nth(1).waitFor()
    await expectAccessibleAtEveryWidth(t.page)
  })

  test('signing, a signed one, and withdrawing it', async () => {
    await begin(somebody(), 'glasses')
    await typePowers(eye('OD, right'), 'Sphere', ['-1'])
    await typePowers(eye('OS, left'), 'Sphere', ['-1'])
    await t.page.getByLabel('Exam date').fill(today)
    await t.page.getByLabel('Issue date').fill(today)
    await t.page.getByRole('button', { name: 'Sign', exact: true }).click()
    const dialog = t.page.getByRole('dialog', { name: 'Sign the prescription' })
    await dialog.getByRole('img', { name: 'Sign here' }).waitFor()
    await expectAccessibleAtEveryWidth(t.page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await sign()
    await expectAccessibleAtEveryWidth(t.page)
    await t.page.getByRole('button', { name: 'Withdraw' }).click()
    const withdrawing = t.page.getByRole('dialog', { name: 'Withdraw the prescription' })
    await withdrawing.getByRole('button', { name: 'Withdraw' }).click()
    await withdrawing.getByText('This field is required').waitFor()
    await expectAccessibleAtEveryWidth(t.page)
    await withdrawing.getByLabel('It was entered in error').check()
    await withdrawing.getByLabel('Reason').fill('The wrong patient')
    await withdrawing.getByRole('button', { name: 'Withdraw' }).click()
    await toastSaid(t.page, 'Prescription marked as entered in error')
    await expectAccessibleAtEveryWidth(t.page)
  })

  test('the import', async () => {
    await t.page.goto(`${t.server.origin}/patient/${patient.id}/rx`)
    await t.page.getByRole('button', { name: 'Import (FHIR)' }).click()
    const dialog = t.page.getByRole('dialog', { name: 'Import a prescription' })
    await dialog.getByLabel('File').setInputFiles({ name: 'rx.json', mimeType: 'application/json', buffer: Buffer.from('{') })
    await dialog.getByRole('alert').waitFor()
    await expectAccessibleAtEveryWidth(t.page)
  })
})
