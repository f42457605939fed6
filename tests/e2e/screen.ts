import type { Locator, Page } from 'playwright-core'
import { touchedKey } from '#src/sync/device/idling.ts'

/** The one toast on the page, with its title and its sentence. */
export function toastOn(page: Page): Locator {
  return page.locator('[data-toast]')
}

/** Waits until the one toast shows both texts, no other toast shows, and it covers no control. */
export async function toastSays(page: Page, title: string | RegExp, sentence?: string | RegExp): Promise<void> {
  const titled = toastOn(page).filter({ hasText: title })
  await (sentence === undefined ? titled : titled.filter({ hasText: sentence })).waitFor()
  const shown = await toastOn(page).count()
  if (shown !== 1) throw new Error(`${shown} toasts show at a time`)
  const covered = await coveredByToast(page)
  if (covered.length > 0) throw new Error(`The toast “${String(title)}” covers ${covered.join(', ')}`)
}

/** Returns the names of the buttons and fields whose middle the toast covers. It has moved away from them in a moment. */
async function coveredByToast(page: Page): Promise<string[]> {
  const look = () =>
    page.evaluate(() => {
      const toast = document.querySelector('[data-toast]')
      if (!toast) return []
      const area = toast.getBoundingClientRect()
      return [...document.querySelectorAll('button, input, select, textarea')].flatMap((control) => {
        const box = control.getBoundingClientRect()
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
        if (toast.contains(control) || box.width < 2 || x < area.left || x > area.right || y < area.top || y > area.bottom) return []
        const below = document.elementsFromPoint(x, y).find((each) => !toast.contains(each) && !each.contains(toast))
        if (!below || !(control.contains(below) || below.closest('label')?.contains(control))) return []
        return [(control.getAttribute('aria-label') ?? control.textContent) || control.outerHTML.slice(0, 80)]
      })
    })
  let covered = await look()
  for (let attempt = 0; covered.length > 0 && attempt < 10; attempt++) {
    await page.waitForTimeout(100)
    covered = await look()
  }
  return covered
}

/** Waits for the toast, then dismisses it, because it may cover the next button. */
export async function toastSaid(page: Page, title: string | RegExp, sentence?: string | RegExp): Promise<void> {
  await toastSays(page, title, sentence)
  // On a slow machine the toast may already be gone.
  await toastOn(page)
    .getByRole('button', { name: 'Dismiss notification' })
    .evaluateAll((buttons) => buttons.forEach((button) => button instanceof HTMLElement && button.click()))
  await toastOn(page).waitFor({ state: 'detached' })
}

/** Opens a page from the sidebar of a tablet, where each group of pages is a menu. */
export async function openFromSidebar(page: Page, group: string, name: string): Promise<void> {
  await page.getByRole('complementary', { name: 'Sidebar' }).getByRole('button', { name: group, exact: true }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Reads a table of the tablet's own database, past the app. */
export function keptOn<T>(
  page: Page,
  table: 'session' | 'outbox' | 'settled' | 'facts' | 'sheets' | 'items' | 'scans' | 'decisions' | 'punches',
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

/** Waits until the tablet can start without the server: the worker has stored all files and controls the page. */
export async function startsWithoutServer(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  })
}

/** Sends the event with which a browser reports the network. Waiting work then retries at once. */
export async function feelNetwork(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
}

/** The title of the layer over a locked tablet. */
export const lockOn = (on: Page): Locator => on.getByRole('heading', { name: 'This tablet is locked' })

/**
 * Sets the last touch to 20 minutes ago and waits for the lock. A new window counts as a touch at some moment, so this
 * repeats.
 */
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

/**
 * Presses a button that the app may disable or take away when it notices the network first. The test waits for what
 * follows.
 * @param otherwise shows when the app was faster
 */
export async function pressUnless(button: Locator, otherwise: Locator): Promise<void> {
  const ignore = () => undefined
  await Promise.race([button.click().catch(ignore), otherwise.waitFor().catch(ignore)])
}
