/** `5185550123` as `(518) 555-0123`. */
export function formatPhone(digits: string): string {
  return digits.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')
}
