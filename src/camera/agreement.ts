/** How long a first reading waits for a second that agrees with it, ms. */
const patienceMs = 2000
/**
 * A code counts again after the camera has not seen it for this long, ms. A label held before the camera is one scan.
 */
const cooldownMs = 1200

/**
 * Decides which codes that a camera reads are scans. The decoder can misread a single picture and still get a valid
 * check digit. So a code counts when two pictures agree. A known code counts at once, because a misreading is hardly
 * ever an existing code.
 */
export function createAgreement(isKnown: (code: string) => boolean) {
  /** Codes that were read once and do not count yet: code to time of the reading. */
  const doubted = new Map<string, number>()
  /** Codes that counted: code to time of the last reading. */
  const seen = new Map<string, number>()

  return {
    /** @param at time of the picture, ms @returns the codes that count, each once */
    take(codes: readonly string[], at: number): string[] {
      for (const [code, first] of doubted) if (at - first > patienceMs) doubted.delete(code)
      for (const [code, last] of seen) if (at - last > cooldownMs) seen.delete(code)
      const scans: string[] = []
      for (const code of new Set(codes)) {
        if (seen.has(code)) seen.set(code, at)
        else if (doubted.has(code) || isKnown(code)) {
          doubted.delete(code)
          seen.set(code, at)
          scans.push(code)
        } else doubted.set(code, at)
      }
      return scans
    },
  }
}
