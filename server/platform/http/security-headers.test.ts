import { describe, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { securityHeaders } from '#server/platform/http/security-headers.ts'

const project = { root: '/srv/lorgnette', version: '1.2.3', distFolder: null }

/** The policy of an environment, by directive. */
function policyOf(environment: Record<string, string>): Record<string, string[]> {
  const header = securityHeaders(readConfig(environment, project))(true)['Content-Security-Policy'] ?? ''
  return Object.fromEntries(
    header.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources]
    }),
  )
}

const keys = { RISK_SITE_KEY: 'site', RISK_SECRET: 'hush' }
const restOf = (policy: Record<string, string[]>) => {
  const { 'script-src': _script, 'connect-src': _connect, 'frame-src': _frame, ...others } = policy
  const { 'require-trusted-types-for': _demand, 'trusted-types': _policies, ...rest } = others
  return rest
}

describe('where a page may load code from', () => {
  test('without a risk provider only from here, and only the page’s own content is framed', () => {
    expect(policyOf({})).toMatchObject({ 'script-src': ["'self'"], 'connect-src': ["'self'"], 'frame-src': ['blob:'] })
  })

  test('Google’s script may load the rest of itself from its second origin', () => {
    const google = ['https://www.google.com', 'https://www.gstatic.com']
    const policy = policyOf(keys)
    expect(policy['script-src']).toEqual(["'self'", ...google])
    expect(policy['connect-src']).toEqual(["'self'", ...google])
    expect(policy['frame-src']).toEqual(['blob:', ...google])
    const elsewhere = policyOf({ ...keys, RISK_SCRIPT_URL: 'https://www.recaptcha.net/recaptcha/api.js?render=explicit' })
    expect(elsewhere['script-src']).toEqual(["'self'", 'https://www.recaptcha.net', 'https://www.gstatic.com'])
  })

  test.each(['https://risk.example:8443/v2/check.js', 'https://risk.example:8443', 'https://risk.example:8443/?next=google.com'])(
    'another provider gets its own origin and no more: %s',
    (scriptUrl) => {
      expect(policyOf({ ...keys, RISK_SCRIPT_URL: scriptUrl })['script-src']).toEqual(["'self'", 'https://risk.example:8443'])
    },
  )

  test('a name that only ends like Google’s is not Google', () => {
    expect(policyOf({ ...keys, RISK_SCRIPT_URL: 'https://notgoogle.com/api.js' })['script-src']).toEqual([
      "'self'",
      'https://notgoogle.com',
    ])
  })

  test('text becomes a script by the app’s own policy alone, unless the script of somebody else runs in the page', () => {
    expect(policyOf({})).toMatchObject({ 'require-trusted-types-for': ["'script'"], 'trusted-types': ['lorgnette'] })
    expect(policyOf(keys)).not.toHaveProperty('require-trusted-types-for')
    expect(policyOf(keys)).not.toHaveProperty('trusted-types')
  })

  test('all else stays as strict as without a risk provider', () => {
    expect(restOf(policyOf(keys))).toEqual(restOf(policyOf({})))
    expect(policyOf(keys)['default-src']).toEqual(["'none'"])
  })
})

test('only an answer over https tells the browser to stay with https', () => {
  const headers = securityHeaders(readConfig({}, project))
  expect(headers(true)).toHaveProperty('Strict-Transport-Security')
  expect(headers(false)).not.toHaveProperty('Strict-Transport-Security')
})
