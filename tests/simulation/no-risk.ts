import type { Outcome } from '#src/api/outcome.ts'

/** Stands in for the risk assessment of sign-ins, whose tokens are another package's chance. */
export function riskToken(): Promise<Outcome<string>> {
  return Promise.resolve({ ok: true, value: 'development:login:simulation' })
}
