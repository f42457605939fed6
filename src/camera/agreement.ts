/** How long a first reading waits for a second that agrees with it, ms. */
const patienceMs = 2000
/** A code counts anew when the camera has not seen it for so long, ms: a label that is held before it is one scan. */
const cooldownMs = 1200

/**
 * Which of the codes that a camera reads are scans. A single picture can be misread with a check digit that is right, so a code counts
 * when two pictures agree, or at once when it is known: what a misreading makes is hardly ever a code that exists.
 */
export function createAgreement(isKnown: (code: string) => boolean) {
  /** Read once, not yet believed: when. */
  const doubted = new Map<string, number>()
  /** Believed: when it was last seen. */
  const seen = new Map<string, number>()

  return {
    /** @param at when the picture was taken, ms @returns those that count, each once */
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
