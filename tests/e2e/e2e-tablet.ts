import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { officeOf, openClinic, pageOf, signIn, type Office, type Person } from '#tests/e2e/clinic.ts'
import { openTablet, type Tablet, type TabletOptions } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

/** Shared by the tests of one file, from the first hook on. A test may replace the tablet or the page. */
export type E2eTablet = { server: LorgnetteServer; office: Office; tablet: Tablet; page: Page }

type Options = TabletOptions & {
  /** The person who is signed in before the first test. Without it the file signs in on its own. */
  as?: Person
  /** The person whose account the tests use to ask the server directly. */
  office?: Person
  /** Transitions run at full length, as for a user who did not ask for less motion. */
  hasMotion?: true
  /** More environment variables for the server. */
  env?: Record<string, string>
}

/**
 * Opens a clinic and a tablet for the tests of a file, and closes both after them. Returns an object that `beforeAll`
 * fills.
 */
export function e2eTablet({ as, office = 'maya', env = {}, hasMotion, ...tabletOptions }: Options = {}): E2eTablet {
  const shared = {} as E2eTablet
  beforeAll(async () => {
    shared.server = await openClinic(env)
    shared.tablet = await openTablet({ ...(!hasMotion && { reducedMotion: 'reduce' }), ...tabletOptions })
    shared.page = await pageOf(shared.tablet)
    shared.office = await officeOf(shared.server, office)
    if (as) await signIn(shared.page, shared.server, as)
  })
  afterAll(async () => {
    await shared.tablet?.close()
    await shared.server?.remove()
  })
  return shared
}
