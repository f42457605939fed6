// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { refused, screenDevice } from '#tests/support/screen-device.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
  document.head.replaceChildren()
  Reflect.deleteProperty(window, 'grecaptcha')
})

function answering(value: unknown) {
  return screenDevice({ answers: () => ({ ok: true, value }) }).device
}

test('the development provider warns once on the console', async () => {
  const { riskToken } = await import('./risk-token.ts')
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const device = answering({ provider: 'development', site_key: null, script_url: null })
  const first = await riskToken(device)
  const second = await riskToken(device)
  expect(first).toEqual({ ok: true, value: expect.stringMatching(/^development:login:./) })
  expect(second).not.toEqual(first)
  expect(warn).toHaveBeenCalledTimes(1)
})

test('a real provider’s script loads once, and gives a token for the action login', async () => {
  const { riskToken } = await import('./risk-token.ts')
  const execute = vi.fn(() => Promise.resolve('token-1'))
  const device = answering({ provider: 'recaptcha', site_key: 'site', script_url: 'https://risk.example/api.js' })
  const append = vi.spyOn(document.head, 'append').mockImplementation((element) => {
    Reflect.set(window, 'grecaptcha', { ready: (then: () => void) => then(), execute })
    if (element instanceof HTMLScriptElement) element.dispatchEvent(new Event('load'))
  })
  expect(await riskToken(device)).toEqual({ ok: true, value: 'token-1' })
  expect(await riskToken(device)).toEqual({ ok: true, value: 'token-1' })
  expect(append).toHaveBeenCalledTimes(1)
  expect(execute).toHaveBeenLastCalledWith('site', { action: 'login' })
})

test('when the script does not load, the sign-in fails with a message, and the next attempt loads it again', async () => {
  const { riskToken } = await import('./risk-token.ts')
  const device = answering({ provider: 'recaptcha', site_key: 'site', script_url: 'https://risk.example/api.js' })
  const append = vi.spyOn(document.head, 'append').mockImplementation((element) => {
    if (element instanceof HTMLScriptElement) element.dispatchEvent(new Event('error'))
  })
  expect(await riskToken(device)).toMatchObject({ ok: false, failure: { kind: 'unreachable' } })
  await riskToken(device)
  expect(append).toHaveBeenCalledTimes(2)
})

test('a refusal of the server reaches the caller', async () => {
  const { riskToken } = await import('./risk-token.ts')
  const { device } = screenDevice({ answers: () => refused(503, 'server-stopping') })
  expect(await riskToken(device)).toMatchObject({ ok: false, failure: { code: 'server-stopping' } })
})
