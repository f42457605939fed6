import { beforeAll, expect, test } from 'vitest'
import type { Patient } from '#contract/patients/patient.ts'
import { longestAloneMs } from '#src/sync/session/first-look.ts'
import { touchedKey } from '#src/sync/device/idling.ts'
import { people, signIn } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { expectAccessible } from '#tests/e2e/accessibility.ts'
import { leaveAlone, lockOn, startsWithoutServer } from '#tests/e2e/screen.ts'
import { phoneView, tabletView } from '#tests/support/browser.ts'

const t = e2eTablet()
let bao: Patient

beforeAll(async () => {
  const { patients } = await t.office.get<{ patients: Patient[] }>('/api/patient/lookup?last_name=nguyen')
  const found = patients.find(({ store_id }) => store_id === 1)
  if (!found) throw new Error('The demo clinic has nobody of this name')
  bao = found
  // Nobody is as quick as the app is: where a test asks for it, it waits until it is let come.
  await t.tablet.context.addInitScript((aloneMs) => {
    const later = globalThis.setTimeout
    const held: (() => void)[] = []
    let isHeld = sessionStorage.getItem('holds the app') !== null
    sessionStorage.removeItem('holds the app')
    const hold = (work: () => void) => (isHeld ? held.push(work) : Number(later(work)))
    // A quiet moment is what the app waits for; the reading of patients goes on.
    globalThis.requestIdleCallback = (work, { timeout = 0 } = {}) => {
      const run = () => work({ didTimeout: true, timeRemaining: () => 0 })
      return timeout === 1000 ? hold(run) : Number(later(run))
    }
    Object.assign(globalThis, {
      stoodAlone: false,
      setTimeout: (work: () => void, ms?: number, ...given: []) => (ms === aloneMs ? hold(work) : later(work, ms, ...given)),
      letAppCome() {
        isHeld = false
        for (const work of held.splice(0)) work()
      },
    })
    new MutationObserver(() => {
      const isAlone = document.querySelector('section[aria-label="Patients"]:not([data-printed] *)') && !document.querySelector('nav')
      if (isAlone) Object.assign(globalThis, { stoodAlone: true })
    }).observe(document, { subtree: true, childList: true })
  }, longestAloneMs)
  await signIn(t.page, t.server)
  await name().fill('nguyen')
  await whoIsFound().first().waitFor()
  await startsWithoutServer(t.page)
})

const name = () => t.page.getByLabel('Name', { exact: true })
const whoIsFound = () => t.page.getByRole('list', { name: 'Patients found' }).getByRole('link')
const sidebar = () => t.page.getByRole('navigation').first()
const appStands = () => t.page.getByRole('region', { name: 'Open counts' }).waitFor()
/** Opens the home page, whose search stands alone until the app is let come. */
async function openAlone(waitUntil: 'load' | 'commit' = 'load') {
  await t.page.evaluate(() => sessionStorage.setItem('holds the app', 'yes'))
  await t.page.goto(t.server.origin, { waitUntil })
  await name().waitFor()
}
async function letAppCome() {
  expect(await sidebar().count()).toBe(0)
  await t.page.evaluate(() => (Reflect.get(globalThis, 'letAppCome') as () => void)())
  await appStands()
}
/** Whether the page itself showed the search. */
const wasPrinted = () => t.page.evaluate(() => document.documentElement.dataset['desk'] !== undefined)
const stoodAlone = () => t.page.evaluate(() => Reflect.get(globalThis, 'stoodAlone') as boolean)

test('the search of the home page answers before the app is there, and what is typed goes on in it', async () => {
  await openAlone()
  await name().click()
  await t.page.keyboard.type('nguen')
  await t.page.keyboard.press('ArrowLeft')
  await t.page.keyboard.press('ArrowLeft')
  await t.page.keyboard.type('y')
  await whoIsFound().filter({ hasText: bao.first_name }).first().waitFor()
  await letAppCome()
  expect(await name().inputValue()).toBe('nguyen')
  // The keyboard is where it was, in the middle of the word.
  await t.page.keyboard.type('!')
  expect(await name().inputValue()).toBe('nguy!en')
  await t.page.keyboard.press('Backspace')
  await whoIsFound().filter({ hasText: bao.first_name }).first().waitFor()
})

/** Opens the home page, of which only the page itself comes until the rest is let come. */
async function openPrinted() {
  // The worker would give the scripts out past this.
  await t.page.evaluate(async () => {
    for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister()
  })
  let letCome = () => {}
  const coming = new Promise<void>((resolve) => (letCome = resolve))
  await t.page.route('**/assets/*.js', async (route) => (await coming, await route.continue()))
  await openAlone('commit')
  // Past the worker it comes after the first words, which are as wide as those of another until then.
  await t.page.evaluate(() => document.fonts.load('600 1em "Inter Variable"').then(() => undefined))
  return async () => {
    letCome()
    await t.page.locator('[data-printed]').waitFor({ state: 'detached' })
    await t.page.unroute('**/assets/*.js')
  }
}

async function foldSidebar(to: 'expanded' | 'collapsed') {
  await t.page.setViewportSize(tabletView)
  const sidebar = t.page.getByRole('complementary', { name: 'Sidebar' })
  if ((await sidebar.getAttribute('data-state')) !== to) await t.page.keyboard.press('Control+b')
  await expect.poll(() => sidebar.getAttribute('data-state')).toBe(to)
}

test('the page itself can be typed into before any of the app has come, and moves by nothing when it does', async () => {
  for (const [view, sidebarIs] of [
    [tabletView, 'expanded'],
    [tabletView, 'collapsed'],
    [phoneView, 'expanded'],
  ] as const) {
    await foldSidebar(sidebarIs)
    await t.page.setViewportSize(view)
    const letComeAll = await openPrinted()
    const search = t.page.getByRole('button', { name: 'Search', exact: true })
    const placeOf = () => Promise.all([name(), search].map((one) => one.boundingBox()))
    const before = await placeOf()
    await name().click()
    await t.page.keyboard.type('nguen')
    await t.page.keyboard.press('ArrowLeft')
    await t.page.keyboard.press('ArrowLeft')
    await letComeAll()
    await t.page.keyboard.type('y')
    expect(await name().inputValue()).toBe('nguyen')
    await whoIsFound().filter({ hasText: bao.first_name }).first().waitFor()
    expect(await placeOf()).toEqual(before)
    await letAppCome()
  }
  await foldSidebar('expanded')
})

test('the page itself finds whom one types while React is on its way, and nothing is lost when that comes', async () => {
  await t.page.evaluate(async () => {
    for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister()
  })
  let letCome = () => {}
  const coming = new Promise<void>((resolve) => (letCome = resolve))
  await t.page.route(/assets\/(page|first-desk)-/, async (route) => (await coming, await route.continue()))
  await openAlone('commit')
  await name().fill(`${bao.first_name} nguyen`)
  const first = whoIsFound().first()
  await first.waitFor()
  expect(await t.page.locator('[data-printed]').count()).toBe(1)
  const [printed, href, place] = await Promise.all([first.innerText(), first.getAttribute('href'), first.boundingBox()])
  await first.focus()
  letCome()
  await t.page.locator('[data-printed]').waitFor({ state: 'detached' })
  await t.page.unroute(/assets\/(page|first-desk)-/)
  expect(await Promise.all([first.innerText(), first.getAttribute('href'), first.boundingBox()])).toEqual([printed, href, place])
  expect(await t.page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(href)
  await letAppCome()
  await appStands()
})

test('what is pressed in it is done when there is somebody to do it', async () => {
  const letComeAll = await openPrinted()
  await name().fill('nguyen')
  await name().press('Enter')
  await letComeAll()
  await t.page.getByText(/^\d+ patients?$/).waitFor()
  await appStands()
  await startsWithoutServer(t.page)
})

test('the keyboard stays on whoever was found, and nobody goes away while the app comes', async () => {
  await openAlone()
  await name().fill(`${bao.first_name} nguyen`)
  await whoIsFound().first().waitFor()
  await name().press('ArrowDown')
  await t.page.evaluate(() => {
    Object.assign(globalThis, { wasEmpty: false })
    new MutationObserver(() => {
      if (!document.querySelector('[aria-label="Patients found"] a')) Object.assign(globalThis, { wasEmpty: true })
    }).observe(document, { subtree: true, childList: true })
  })
  await letAppCome()
  expect(await t.page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(`/patient/${bao.id}`)
  expect(await t.page.evaluate(() => Reflect.get(globalThis, 'wasEmpty') as boolean)).toBe(false)
})

test('whoever is found leads to their page', async () => {
  await openAlone()
  await name().fill(`${bao.first_name} nguyen`)
  await whoIsFound().first().click()
  await t.page.getByRole('heading', { level: 1, name: bao.first_name }).waitFor()
  expect(await stoodAlone()).toBe(true)
  await t.page.goBack()
  await appStands()
})

test('Search asks the server as soon as there is anything to ask it with, and More fields shows them', async () => {
  await openAlone()
  await name().fill('nguyen')
  await name().press('Enter')
  await t.page.getByText(/^\d+ patients?$/).waitFor()
  expect(await stoodAlone()).toBe(true)
  await openAlone()
  await t.page.getByRole('button', { name: 'More fields' }).click()
  await t.page.getByLabel('City').waitFor()
  expect(await stoodAlone()).toBe(true)
})

test('nothing moves when the app takes its place, on a tablet and on a phone', async () => {
  for (const view of [tabletView, phoneView]) {
    await t.page.setViewportSize(view)
    await openAlone()
    await name().fill('nguyen')
    const search = t.page.getByRole('button', { name: 'Search', exact: true })
    const placeOf = () => Promise.all([name(), search, whoIsFound().first()].map((one) => one.boundingBox()))
    const before = await placeOf()
    await letAppCome()
    expect(await placeOf()).toEqual(before)
  }
  await t.page.setViewportSize(tabletView)
})

test('it says nothing that a screen reader stumbles over, and every target is large enough', async () => {
  // What breathes never comes to its end.
  await t.page.emulateMedia({ reducedMotion: 'reduce' })
  await openAlone()
  await name().fill('nguyen')
  await whoIsFound().first().waitFor()
  await expectAccessible(t.page)
  await letAppCome()
  await t.page.emulateMedia({ reducedMotion: null })
})

test('with the server gone it answers all the same', async () => {
  await t.server.stop()
  await openAlone()
  await name().fill('nguyen')
  await whoIsFound().first().waitFor()
  await letAppCome()
})

test('what waits to be sent is shown with the app, and not left out before', async () => {
  await t.page.goto(`${t.server.origin}/patient/${bao.id}`)
  await t.page.getByRole('button', { name: 'Edit' }).first().click()
  await t.page.getByRole('dialog').getByLabel('City *').fill('Ghent')
  await t.page.getByRole('button', { name: 'Submit' }).click()
  await t.page
    .getByText(/^Saved on this device/)
    .first()
    .waitFor()
  await t.page.goto(t.server.origin)
  await name().fill(`${bao.first_name} nguyen`)
  await whoIsFound().filter({ hasText: 'Ghent' }).filter({ hasText: 'Not sent yet' }).waitFor()
  expect(await stoodAlone()).toBe(false)
  await t.server.start()
  await t.page.reload()
  await t.page.getByText('Everything is sent', { exact: true }).waitFor()
})

test('a tablet that is locked, was left alone or has nobody shows none of it', async () => {
  await leaveAlone(t.page)
  await t.page.reload()
  await lockOn(t.page).waitFor()
  expect([await stoodAlone(), await wasPrinted()]).toEqual([false, false])

  await t.page.getByLabel('Password', { exact: true }).fill(people.maya.password)
  await t.page.getByRole('button', { name: 'Unlock' }).click()
  await lockOn(t.page).waitFor({ state: 'detached' })
  await name().fill('nguyen')
  await whoIsFound().first().waitFor()
  await t.page.goto(`${t.server.origin}/manifest.webmanifest`)
  // While nothing of it runs.
  await t.page.evaluate((key) => localStorage.setItem(key, String(Date.now() - 20 * 60_000)), touchedKey)
  await t.page.goto(t.server.origin)
  await lockOn(t.page).waitFor()
  expect([await stoodAlone(), await wasPrinted()]).toEqual([false, false])

  await t.page.evaluate(() => ['AccessToken', 'RefreshToken'].forEach((key) => localStorage.removeItem(key)))
  await t.page.goto(t.server.origin)
  await t.page.getByRole('button', { name: 'Login', exact: true }).waitFor()
  expect([await stoodAlone(), await wasPrinted()]).toEqual([false, false])
})
