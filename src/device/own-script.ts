type Policy = { createScriptURL(address: string): string }
type PolicyFactory = { createPolicy(name: string, rules: Policy): Policy }

/** The name in the server's Content-Security-Policy. A page may load scripts through this policy only. */
const policyName = 'lorgnette'

let policy: Policy | null = null

/**
 * Returns the address of a script of this app as a trusted URL, or unchanged in browsers without Trusted Types.
 *
 * @throws TypeError for a script of another origin, and for an address of the API
 */
export function ownScript(address: string): string {
  policy ??= createPolicy()
  return policy.createScriptURL(address)
}

function createPolicy(): Policy {
  const rules = { createScriptURL: ownAddress }
  const factory: unknown = Reflect.get(globalThis, 'trustedTypes')
  return isFactory(factory) ? factory.createPolicy(policyName, rules) : rules
}

function ownAddress(address: string): string {
  const { origin, pathname, href } = new URL(address, location.origin)
  if (origin !== location.origin || /^\/(api|upload)(\/|$)/.test(pathname)) throw new TypeError('This is no script of the app')
  return href
}

function isFactory(value: unknown): value is PolicyFactory {
  return typeof value === 'object' && value !== null && 'createPolicy' in value
}
