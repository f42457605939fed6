import { expect, test } from 'vitest'
import { isCountOpen, needsManualInstall } from './install-store.ts'

const iPad = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15'

test('an iPad in a Safari tab shows how to install; a Mac, an installed app and Chrome on iOS do not', () => {
  expect(needsManualInstall({ userAgent: iPad, maxTouchPoints: 5 }, false)).toBe(true)
  expect(needsManualInstall({ userAgent: iPad, maxTouchPoints: 0 }, false)).toBe(false)
  expect(needsManualInstall({ userAgent: iPad, maxTouchPoints: 5 }, true)).toBe(false)
  expect(
    needsManualInstall({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) CriOS/140 Safari/604.1', maxTouchPoints: 5 }, false),
  ).toBe(false)
})

test('the list of counts offers an update, and a count never does', () => {
  expect(isCountOpen('/inventory/count-sheets')).toBe(false)
  expect(isCountOpen('/inventory/count-sheets/')).toBe(false)
  expect(isCountOpen('/inventory/count-sheets/0190a000-0000-7000-8000-000000000001')).toBe(true)
})
