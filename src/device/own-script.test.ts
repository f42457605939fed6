// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let ownScript: (address: string) => string
beforeEach(async () => {
  vi.resetModules()
  ;({ ownScript } = await import('./own-script.ts'))
})
afterEach(() => vi.unstubAllGlobals())

test.each(['/sw.js', '/assets/decode-worker-1a2b.js'])('%s is a script of the app', (address) => {
  expect(ownScript(address)).toBe(location.origin + address)
})

test.each([
  'https://elsewhere.example/sw.js',
  '//elsewhere.example/sw.js',
  'data:text/javascript,alert(1)',
  'blob:https://elsewhere.example/1',
  '/api/patient/file/1/content',
  '/assets/../upload/1.js',
])('%s is not a script of the app', (address) => {
  expect(() => ownScript(address)).toThrow(TypeError)
})

test('with Trusted Types in the browser, the address goes through one policy that is made once', () => {
  const createPolicy = vi.fn((_name: string, rules: { createScriptURL(address: string): string }) => ({
    createScriptURL: (address: string) => `trusted ${rules.createScriptURL(address)}`,
  }))
  vi.stubGlobal('trustedTypes', { createPolicy })
  expect(ownScript('/sw.js')).toBe(`trusted ${location.origin}/sw.js`)
  ownScript('/sw.js')
  expect(createPolicy.mock.calls.map(([name]) => name)).toEqual(['lorgnette'])
})
