import type { Logger } from 'pino'
import type { Config, RiskProvider } from '#server/platform/services.ts'

/**
 * Stands in where no service is configured. It assesses nothing: it only sees to it that the app asks for a token for
 * the right action before each sign-in, as it must with a real one.
 */
export function developmentProvider(mode: Config['mode'], log: Logger): RiskProvider {
  const message = 'sign-ins are not assessed for risk: this is the development provider; set a site key and a secret to use a real one'
  if (mode === 'production') log.warn(message)
  else log.info(message)
  return {
    name: 'development',
    async assess(token) {
      return /^development:login:.+$/.test(token)
    },
  }
}
