import { afterAll, beforeAll, describe, test } from 'vitest'
import { openClinic } from '#tests/e2e/clinic.ts'
import { chromium } from '#tests/engines/chromium.ts'
import { firefox } from '#tests/engines/firefox.ts'
import { walkOfflinePath } from '#tests/engines/offline-path.ts'
import { webkit } from '#tests/engines/webkit.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer

beforeAll(async () => {
  server = await openClinic()
})
afterAll(() => server?.remove())

describe('From the sign-in to the second tablet, without the server and over a kill of the browser', () => {
  for (const engine of [chromium, firefox, webkit]) {
    const found = engine.find()
    if ('version' in found) test(`${engine.name} ${found.version}`, () => walkOfflinePath(engine, server))
    else {
      const sentence = `${engine.name} is not installed: skipped, nothing proven about it (missing: ${found.missing})`
      console.warn(sentence)
      test.skip(sentence)
    }
  }
})
