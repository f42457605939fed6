import type { Logger } from 'pino'
import * as v from 'valibot'
import type { Config, RiskProvider } from '#server/platform/services.ts'

type Settings = Extract<Config['risk'], { provider: 'recaptcha' }>

/** The fields of the provider's answer that we use. */
const verdict = v.object({
  success: v.boolean(),
  action: v.optional(v.string()),
  score: v.optional(v.number()),
  'error-codes': v.optional(v.array(v.string())),
})

/**
 * Asks the configured service about each sign-in. It refuses a user for whom the service does not vouch, and everybody
 * while the service does not answer: the check exists to prevent sign-ins that nobody assessed. `timeoutMs` in
 * milliseconds.
 */
export function recaptchaProvider(settings: Settings, log: Logger, timeoutMs = 5000): RiskProvider {
  return {
    name: 'recaptcha',
    async assess(token, address) {
      if (token === '') return false
      try {
        const answer = await fetch(settings.verifyUrl, {
          method: 'POST',
          body: new URLSearchParams({ secret: settings.secret, response: token, remoteip: address }),
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMs),
        })
        if (!answer.ok) {
          log.warn({ status: answer.status }, 'the risk assessment answered with an error: the sign-in is refused')
          return false
        }
        const said = v.parse(verdict, await answer.json())
        if (said['error-codes']?.length) log.warn({ errors: said['error-codes'] }, 'the risk assessment named errors')
        return said.success && said.action === 'login' && (said.score ?? 0) >= settings.minimumScore
      } catch (error) {
        log.warn(
          { reason: error instanceof Error ? error.name : 'unknown' },
          'the risk assessment could not be had: the sign-in is refused',
        )
        return false
      }
    },
  }
}
