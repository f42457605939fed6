import type { Locator, Page } from 'playwright-core'
import { touchedKey } from '#src/sync/device/idling.ts'

/** The one toast that shows, with its title and its sentence. */
export function toastOn(page: Page): Locator {
  return page.locator('[data-toast]')
}

/** Waits until the one toast says both, and nothing else is toasted. */
export async function toastSays(page: Page, title: string | RegExp, sentence?: string | RegExp): Promise<void> {
  const titled = toastOn(page).filter({ hasText: title })
  await (sentence === undefined ? titled : titled.filter({ hasText: sentence })).waitFor()
  const shown = await toastOn(page).count()
  if (shown !== 1) throw new Error(`${shown} toasts show at a time`)
}

/** The same, and it is put away: it may lie over what is pressed next. */
export async function toastSaid(page: Page, title: string | RegExp, sentence?: string | RegExp): Promise<void> {
  await toastSays(page, title, sentence)
  // On a slow machine it may have gone by itself meanwhile.
  await toastOn(page)
    .getByRole('button', { name: 'Dismiss notification' })
    .evaluateAll((buttons) => buttons.forEach((button) => button instanceof HTMLElement && button.click()))
  await toastOn(page).waitFor({ state: 'detached' })
}

/** What the tablet itself keeps in a table of its database, read past the app. */
export function keptOn<T>(
  page: Page,
  table: 'outbox' | 'settled' | 'facts' | 'sheets' | 'items' | 'scans' | 'decisions' | 'punches',
): Promise<T[]> {
  return page.evaluate(
    (name) =>
      new Promise<T[]>((resolve, reject) => {
        const opening = indexedDB.open('lorgnette')
        opening.addEventListener('error', () => reject(new Error('The database could not be opened')))
        opening.addEventListener('success', () => {
          const reading: IDBRequest<T[]> = opening.result.transaction(name).objectStore(name).getAll()
          reading.addEventListener('success', () => {
            opening.result.close()
            resolve(reading.result)
          })
        })
      }),
    table,
  )
}

/** Waits until the tablet could start without the server: the worker has taken everything in, and is in charge. */
export async function startsWithoutServer(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  })
}

/** What a browser tells its pages when the network is back; then nothing waits for its turn to be tried again. */
export async function feelNetwork(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
}

/** The title of the layer over a tablet that has locked itself. */
export const lockOn = (on: Page): Locator => on.getByRole('heading', { name: 'This tablet is locked' })

/** As if the last touch had been 20 minutes ago. A window that was just opened counts as one, whenever it is through with that. */
export async function leaveAlone(on: Page): Promise<void> {
  await on.waitForFunction(
    (key) => {
      localStorage.setItem(key, String(Date.now() - 20 * 60_000))
      return document.getElementById('lock-title') !== null
    },
    touchedKey,
    { polling: 500 },
  )
  await lockOn(on).waitFor()
}
