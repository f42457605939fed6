/** Dollars as users type them, in cents; null for an empty field; undefined for text that is no amount. */
export function centsOf(typed: string): number | null | undefined {
  const text = typed.trim().replace(/^\$/, '').replaceAll(',', '')
  if (text === '') return null
  if (!/^\d{1,7}(\.\d{1,2})?$/.test(text)) return undefined
  return Math.round(Number(text) * 100)
}

/** Cents in the form for a field: `120`, `120.50`; empty for none. */
export function typedMoney(cents: number | null): string {
  if (cents === null) return ''
  return cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2)
}

export const notAnAmount = 'Enter an amount, like 120 or 120.50'
