import { v7 as uuidv7 } from 'uuid'
import { sessionEndpoints } from '#contract/people/session.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'

/** The part of the bot-protection script that is used here. */
type RiskService = { ready(then: () => void): void; execute(siteKey: string, options: { action: string }): PromiseLike<string> }

let told = false
let script: Promise<RiskService> | null = null

/** Returns a fresh risk token for the action `login`, from the service that the server names. */
export async function riskToken(device: Pick<Device, 'call'>): Promise<Outcome<string>> {
  const answer = await device.call(sessionEndpoints.riskProvider, {}, { timeoutMs: 15_000 })
  if (!answer.ok) return answer
  const { provider, site_key, script_url } = answer.value
  if (provider === 'development') {
    if (!told) {
      told = true
      console.warn('Lorgnette: sign-ins are not assessed for risk. The server runs with the development provider.')
    }
    return { ok: true, value: `development:login:${uuidv7()}` }
  }
  try {
    if (!site_key || !script_url) throw new Error('the server is missing a site key or script')
    const service = await loadService(script_url)
    return { ok: true, value: await service.execute(site_key, { action: 'login' }) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { ok: false, failure: { kind: 'unreachable', message: `Couldn’t verify the sign-in: ${reason}` } }
  }
}

function loadService(url: string): Promise<RiskService> {
  script ??= new Promise<RiskService>((resolve, reject) => {
    const element = document.createElement('script')
    element.src = url
    element.async = true
    element.addEventListener('load', () => {
      const service: unknown = Reflect.get(window, 'grecaptcha')
      if (isRiskService(service)) service.ready(() => resolve(service))
      else reject(new Error('the risk assessment script isn’t valid'))
    })
    element.addEventListener('error', () => reject(new Error('the risk assessment script didn’t load')))
    document.head.append(element)
  }).catch((error: unknown) => {
    // The next attempt loads it again.
    script = null
    throw error
  })
  return script
}

function isRiskService(value: unknown): value is RiskService {
  return typeof value === 'object' && value !== null && 'ready' in value && 'execute' in value
}
