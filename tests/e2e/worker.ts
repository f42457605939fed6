import type { CDPSession, Page } from 'playwright-core'
import type { WireProxy } from '#tests/support/wire-proxy.ts'

/** Wakes the worker, as the browser does when the network is back. */
export async function wakeWorker(page: Page, origin: string): Promise<void> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const registration = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find((each) => each.scopeURL === `${origin}/` && !each.isDeleted)
      if (ours) resolve(ours.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registration
  await session.send('ServiceWorker.dispatchSyncEvent', { origin, registrationId, tag: 'lorgnette-outbox', lastChance: false })
  await session.detach()
}

/** The server has another version of the app from now on. Returns when the tablet has fetched it. */
export async function bringNewVersion(page: Page, line: WireProxy, change: (text: string) => string): Promise<void> {
  line.rewrites.set('/sw.js', change)
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.update()
  })
  await page.waitForFunction(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    return registration?.waiting !== null && registration?.waiting !== undefined
  })
}

/** Accepts the waiting version. Returns when the page is back under the new worker. */
export async function takeUpdate(page: Page): Promise<void> {
  // The browser lets the former worker finish first.
  const loaded = page.waitForEvent('load', { timeout: 90_000 })
  await Promise.all([loaded, page.getByRole('button', { name: 'Update now' }).click()])
  await page.waitForFunction(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    return registration?.waiting === null && registration.active?.state === 'activated'
  })
}
