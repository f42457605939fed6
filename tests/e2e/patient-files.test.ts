import { expect, test } from 'vitest'
import type { PatientFile } from '#contract/patients/patient-files.ts'
import type { Patient } from '#contract/patients/patient.ts'
import { until } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { feelNetwork, startsWithoutServer } from '#tests/e2e/screen.ts'

const t = e2eTablet({ as: 'ana' })

const onTheirWay = () => t.page.getByRole('list', { name: 'Files being uploaded' })
const laterPart = /\/upload\/.*offset=[1-9]/
const inRecord = async (patient: Patient) =>
  (await t.office.get<{ files: PatientFile[] }>(`/api/patient/file?id_patient=${patient.id}`)).files

/** A photo as from a tablet's camera, 1200 × 900 pixels, which the browser draws. */
async function photo(): Promise<Buffer> {
  const encoded = await t.page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1200, height: 900 })
    const pen = canvas.getContext('2d')!
    for (let x = 0; x < 1200; x += 4)
      for (let y = 0; y < 900; y += 4) {
        pen.fillStyle = `hsl(${(x * 7 + y * 13) % 360} 60% ${30 + ((x * y) % 50)}%)`
        pen.fillRect(x, y, 4, 4)
      }
    return canvas.toDataURL('image/jpeg', 0.95).split(',')[1]!
  })
  return Buffer.from(encoded, 'base64')
}

test('photos chosen without the server survive a restart, arrive whole and once, and have thumbnails', async () => {
  const { patients } = await t.office.get<{ patients: Patient[] }>('/api/patient/lookup?last_name=nguyen')
  const patient = patients[0]
  if (!patient) throw new Error('The demo clinic has nobody of this name')
  const before = await inRecord(patient)
  await t.page.goto(`${t.server.origin}/patient/${patient.id}/file`)
  await t.page.getByRole('button', { name: 'Choose files', disabled: false }).waitFor()
  const picture = await photo()
  // The file has more than one part, so that the upload can break between them.
  expect(picture.byteLength).toBeGreaterThan(512 * 1024)
  await startsWithoutServer(t.page)
  await t.server.kill()

  await t.page
    .getByLabel('Files', { exact: true })
    .setInputFiles(['Front.jpg', 'Back.jpg'].map((name) => ({ name, mimeType: 'image/jpeg', buffer: picture })))
  await onTheirWay().getByText('Saved on this tablet').nth(1).waitFor()
  await t.page.reload()
  await onTheirWay().getByText('Front.jpg').waitFor()
  await onTheirWay().getByText('Back.jpg').waitFor()
  // The tablet shows the files from its own disk before the server has them.
  await onTheirWay().getByRole('listitem').filter({ hasText: 'Back.jpg' }).locator('img').waitFor()

  // After the first part the server dies, before it gets the second.
  let isDying = true
  const secondPart = new Promise<void>((resolve) => {
    void t.page.route(laterPart, async (route) => {
      if (!isDying) return await route.continue()
      await t.server.kill()
      await route.abort()
      resolve()
    })
  })
  await t.server.start()
  await feelNetwork(t.page)
  await secondPart
  isDying = false
  await t.page.reload()
  await onTheirWay()
    .getByText(/sent; the rest will follow/)
    .waitFor()
  await t.server.start()
  await feelNetwork(t.page)
  const after = await until(
    () => inRecord(patient),
    (files) => files.length === before.length + 2,
    'both arrive',
  )
  const added = after.filter(({ id_file }) => !before.some((known) => known.id_file === id_file))
  expect(added.map(({ filename }) => filename).toSorted()).toEqual(['Back.jpg', 'Front.jpg'])
  for (const { id_file } of added) {
    const answer = await fetch(`${t.server.origin}/api/patient/file/${id_file}/content`, {
      headers: { authorization: `Bearer ${t.office.token}` },
    })
    expect(Buffer.from(await answer.arrayBuffer()).equals(picture)).toBe(true)
  }
  const list = t.page.getByRole('list', { name: 'Files', exact: true })
  for (const { filename } of added) await list.getByRole('listitem').filter({ hasText: filename }).locator('img').waitFor()
  await t.page.reload()
  await list.waitFor()
  expect(await onTheirWay().count()).toBe(0)
})

test('dropped files and photos show a progress bar with Cancel, then open in the record with a name and a note', async () => {
  const { patients } = await t.office.get<{ patients: Patient[] }>('/api/patient/lookup?last_name=nguyen')
  const patient = patients.at(-1)
  if (!patient) throw new Error('The demo clinic has nobody of this name')
  const before = await inRecord(patient)
  await t.page.goto(`${t.server.origin}/patient/${patient.id}/file`)
  await t.page.getByRole('button', { name: 'Choose files', disabled: false }).waitFor()
  const picture = await photo()
  await t.page.getByLabel('Category of new files').selectOption({ label: 'Referral' })

  // Every later part waits for the test, so that the bar can be checked on its way. The route stays: a removed route
  // answers its waiting requests.
  let fate: 'waits' | 'passes' | 'hangs' = 'waits'
  const letGo: (() => void)[] = []
  await t.page.unroute(laterPart)
  await t.page.route(laterPart, async (route) => {
    if (fate === 'hangs') return
    if (fate === 'waits') await new Promise<void>((resolve) => letGo.push(resolve))
    await route.continue()
  })
  const dropped = await t.page.evaluateHandle((base64) => {
    const data = new DataTransfer()
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    data.items.add(new File([bytes], 'Dropped.jpg', { type: 'image/jpeg' }))
    return data
  }, picture.toString('base64'))
  const place = t.page.getByRole('region', { name: 'Add files' }).getByRole('presentation').first()
  await place.dispatchEvent('dragover', { dataTransfer: dropped })
  await place.dispatchEvent('drop', { dataTransfer: dropped })
  const bar = onTheirWay().getByRole('progressbar', { name: 'Sending Dropped.jpg' })
  await bar.waitFor()
  const shown = await until(
    async () => Number(await bar.getAttribute('aria-valuenow')),
    (share) => share > 0,
    'the first part is there',
  )
  expect(shown).toBeLessThan(100)
  await onTheirWay()
    .getByText(/^524 kB of /)
    .waitFor()
  fate = 'passes'
  for (const go of letGo) go()
  const list = t.page.getByRole('list', { name: 'Files', exact: true })
  await list.getByRole('listitem').filter({ hasText: 'Dropped.jpg' }).filter({ hasText: 'Referral' }).waitFor()

  // The user cancels a second upload, and the record stays without it.
  fate = 'hangs'
  await t.page.getByLabel('Photo', { exact: true }).setInputFiles({ name: 'Stopped.jpg', mimeType: 'image/jpeg', buffer: picture })
  await onTheirWay().getByRole('progressbar', { name: 'Sending Stopped.jpg' }).waitFor()
  await onTheirWay().getByRole('button', { name: 'Cancel Stopped.jpg' }).click()
  await t.page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await onTheirWay().waitFor({ state: 'detached' })
  fate = 'passes'

  await list.getByRole('link').filter({ hasText: 'Dropped.jpg' }).click()
  const preview = t.page.getByRole('region', { name: 'Preview' }).getByRole('img', { name: 'Dropped.jpg' })
  await preview.waitFor()
  expect(await preview.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(1200)
  await t.page.getByLabel('Name *').fill('Letter of Dr. Ødegård.jpg')
  await t.page.getByLabel('Category').selectOption({ label: 'Outside Rx' })
  await t.page.getByLabel('Note').fill('came by post')
  await t.page.getByRole('button', { name: 'Save', exact: true }).click()
  await t.page.getByText('File saved').waitFor()
  const after = await inRecord(patient)
  expect(after).toHaveLength(before.length + 1)
  expect(after.find(({ filename }) => filename === 'Letter of Dr. Ødegård.jpg')).toMatchObject({
    category: 'outside Rx',
    note: 'came by post',
    size: picture.byteLength,
  })
})
