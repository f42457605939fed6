/** PostgreSQL asks for the transaction to be tried again: serialisation failure, deadlock, tables that a newer server changed. */
export function isWorthRepeating(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error)) || isPlanOfOtherTables(error)
}

/** The tables were changed since the statement was prepared, so that its rows would have another shape. */
export function isPlanOfOtherTables(error: unknown): boolean {
  return codeOf(error) === '0A000' && error instanceof Error && error.message.includes('cached plan must not change result type')
}

/** The name of the constraint that a row would have broken by not being unique, or null. */
export function brokenUniqueness(error: unknown): string | null {
  if (codeOf(error) !== '23505') return null
  return constraintOf(error)
}

/** The name of the constraint that a row would have broken by naming another that is not there, or null. */
export function brokenReference(error: unknown): string | null {
  return codeOf(error) === '23503' ? constraintOf(error) : null
}

/** Whether the database could not be reached or went away, so that the same request may succeed in a moment. */
export function isDatabaseDown(error: unknown): boolean {
  const code = codeOf(error)
  if (code.startsWith('08') || code.startsWith('57P') || code === '53300') return true
  if (['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EPIPE', 'EHOSTUNREACH', 'EAI_AGAIN'].includes(code)) return true
  return (
    error instanceof Error &&
    /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Cannot use a pool after)/.test(
      error.message,
    )
  )
}

function constraintOf(error: unknown): string {
  const constraint = typeof error === 'object' && error !== null && 'constraint' in error ? error.constraint : ''
  return typeof constraint === 'string' ? constraint : ''
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
