/** A ZIP code from a file of another system. */
type WrittenZip = {
  zip: string
  /** Says in words which digits were added; null when none were. */
  notice: string | null
}

/**
 * Spreadsheets drop leading zeros: `1013` is 01013, and `10131234` is 01013-1234. Of 00000, which means an unknown ZIP,
 * they leave a single 0. Everything else is unchanged.
 */
export function mendedZip(given: string): WrittenZip {
  const text = given.trim()
  if (text === '0') return { zip: '00000', notice: '0 means an unknown ZIP, saved as 00000' }
  const digits = /^\d{7,9}$/.test(text) ? text.padStart(9, '0') : null
  const [, five = '', four] = digits ? ['', digits.slice(0, 5), digits.slice(5)] : (/^(\d{3,5})(?:-(\d{4}))?$/.exec(text) ?? [])
  if (five === '') return { zip: text, notice: null }
  const zip = five.padStart(5, '0') + (four === undefined ? '' : `-${four}`)
  const isPadded = zip.replace('-', '').length > text.replace('-', '').length
  return { zip, notice: isPadded ? 'was missing leading zeros, which were added' : null }
}
