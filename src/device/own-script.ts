type Policy = { createScriptURL(address: string): string }
type PolicyFactory = { createPolicy(name: string, rules: Policy): Policy }

/** As the server's Content-Security-Policy names it: the one way by which a page may come to a script. */
const policyName = 'lorgnette'

let policy: Policy | null = null

/**
 * The address of a script of this app, in the form that a browser with Trusted Types takes for one; others take the address as it is.
 * @throws TypeError for a script from elsewhere, and for what this server answers to calls
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
