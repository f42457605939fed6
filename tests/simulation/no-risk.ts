import type { Outcome } from '#src/api/outcome.ts'

/** Replaces the risk assessment of sign-ins, whose tokens another package draws at random. */
export function riskToken(): Promise<Outcome<string>> {
  return Promise.resolve({ ok: true, value: 'development:login:simulation' })
}
