import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatPhone, type Patient } from '#contract/patients/patient.ts'
import { officeOf, openClinic, pageOf, signIn, until } from '#tests/e2e/clinic.ts'
import { keptOn, leaveAlone, startsWithoutServer } from '#tests/e2e/screen.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import { readableAt, textsInFolder } from '#tests/support/browser-folder.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'
import { removeFolder } from '#tests/support/remove-folder.ts'

let server: LorgnetteServer
let tablet: Tablet
let page: Page
/** A patient of the store whose name no page shows without a search. */
let bao: Patient

beforeAll(async () => {
  server = await openClinic()
  const office = await officeOf(server)
  const { patients } = await office.get<{ patients: Patient[] }>('/api/patient/lookup?last_name=nguyen')
  const found = patients.find(({ store_id, phone, email }) => store_id === 1 && phone !== null && email !== null)
  if (!found) throw new Error('The demo clinic has nobody of this name')
  bao = found
})
afterAll(async () => {
  await tablet?.close().catch(() => undefined)
  await server?.remove()
})

const typed = { lastName: 'Quillfeather', message: 'A word in confidence', fileName: 'Quillcard.pdf', paper: 'Left eye of Q' }
/** Texts that the test stores in the clear. The search must find them, or it proves nothing about patients. */
const plain = ['Wříte me down', 'Kept in a täble', 'Kept in a cäche']

const drafts = async () => (await keptOn<{ key: string }>(page, 'facts')).filter(({ key }) => key.startsWith('draft ')).length

/** Brings patient data onto this tablet in every way: a search, a record, a draft, a message and a file. */
async function work() {
  await signIn(page, server, 'ana')
  await startsWithoutServer(page)
  await page.getByLabel('Name', { exact: true }).fill(`${bao.first_name} nguyen`)
  const link = page.locator(`a[href="/patient/${bao.id}"]`).first()
  await link.click()
  await page.getByRole('heading', { level: 1, name: bao.first_name }).waitFor()
  await page.goto(`${server.origin}/patient/${bao.id}/messages`)
  await page.getByRole('button', { name: /^(Write|Continue) a text$/ }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: /^Text/ }).fill(typed.message)
  await until(drafts, (kept) => kept === 1, 'the message is kept')
  await page.goto(server.origin)
  await page.getByRole('button', { name: 'New patient' }).first().click()
  await page.getByRole('dialog').getByLabel('Last *').fill(typed.lastName)
  await until(drafts, (kept) => kept === 2, 'the new patient is kept')
  await page.goto(`${server.origin}/patient/${bao.id}/file`)
  await page.getByRole('button', { name: 'Choose files', disabled: false }).waitFor()
  await server.kill()
  const buffer = Buffer.from(`%PDF-1.4\n% ${typed.paper}\n%%EOF\n`)
  await page.getByLabel('Files', { exact: true }).setInputFiles({ name: typed.fileName, mimeType: 'application/pdf', buffer })
  await page.getByRole('list', { name: 'Files being uploaded' }).getByText('Saved on this tablet').waitFor()
  await page.evaluate(async ([storage = '', table = '', cached = '']) => {
    localStorage.setItem('note', storage)
    await (await caches.open('notes')).put('/note', new Response(cached))
    await new Promise<void>((resolve, reject) => {
      const opening = indexedDB.open('notes')
      opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('notes').put({ text: table }, 1))
      opening.addEventListener('success', () => (opening.result.close(), resolve()))
      opening.addEventListener('error', () => reject(new Error('not written')))
    })
  }, plain)
}

describe.each([
  [
    'after the sign-out',
    async () => {
      await page.getByRole('button', { name: /user menu$/ }).click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await page.waitForURL((url) => url.pathname === '/login')
    },
  ],
  ['when it has locked itself', () => leaveAlone(page)],
])('a thief of the tablet, %s,', (_when, leave) => {
  const profile = fs.mkdtempSync(path.join(fs.realpathSync(process.env['TMPDIR'] ?? '/tmp'), 'lorgnette-stolen-'))
  afterAll(() => removeFolder(profile))

  test('finds nothing of a patient in its browser’s folder, and no key to a patient', async () => {
    tablet = await openTablet({ profile })
    page = await pageOf(tablet)
    await work()
    await leave()
    await tablet.context.close()
    const { last_name, street_address, phone, email } = bao
    const told = [last_name, street_address, phone, phone && formatPhone(phone), email, `${bao.first_name} nguyen`].filter(
      (text) => text !== null,
    )
    const secret = [...told, typed.lastName, typed.message, typed.fileName, typed.paper]
    const expectNothingIn = () => {
      const places = textsInFolder(profile, [...plain, ...secret])
      for (const text of plain) expect(places.some((place) => place.endsWith(text))).toBe(true)
      expect(places.filter((place) => !plain.some((text) => place.endsWith(text)))).toEqual([])
      // The answers in the cache are compressed, so the test searches for their addresses.
      const [page, call] = [`${server.origin}/assets/`, `${server.origin}/api/`].map((address) =>
        textsInFolder(path.join(profile, 'Default/Cache'), [address]),
      )
      expect(page).not.toEqual([])
      expect(call).toEqual([])
    }
    expectNothingIn()

    // Now look as a script of this address would. Then look at the tables that the browser has compressed on the new
    // start.
    await server.start()
    tablet = await openTablet({ profile })
    page = await pageOf(tablet)
    await page.goto(`${server.origin}/manifest.webmanifest`)
    const readable = await readableAt(page, [...plain, ...secret])
    for (const text of plain) expect(readable.texts.some((place) => place.endsWith(text))).toBe(true)
    expect(readable.texts.filter((place) => !plain.some((text) => place.endsWith(text)))).toEqual([])
    expect(readable.keys).toEqual([])
    // The key of a person's drafts stays (decision 0090). It opens the outer seal of both drafts, and the patient's
    // texts are not inside.
    expect(readable.opened).toHaveLength(2)
    await tablet.context.close()
    expectNothingIn()
  })
})
