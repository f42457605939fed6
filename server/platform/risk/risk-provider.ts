import type { Logger } from 'pino'
import { developmentProvider } from '#server/platform/risk/development-provider.ts'
import { recaptchaProvider } from '#server/platform/risk/recaptcha-provider.ts'
import type { Config, RiskProvider } from '#server/platform/services.ts'

/** The provider that the environment names; says so in the log when it is the one for development. */
export function riskProviderFor(config: Pick<Config, 'mode' | 'risk'>, log: Logger): RiskProvider {
  return config.risk.provider === 'recaptcha' ? recaptchaProvider(config.risk, log) : developmentProvider(config.mode, log)
}
