/** Requests that one address may make: `burst` at once, `perSecond` in the long run. A whole clinic may share one address. */
export type RateLimits = { burst: number; perSecond: number }
export const usualRateLimits: RateLimits = { burst: 3000, perSecond: 300 }

/** Addresses remembered at most; a full bucket need not be remembered at all. */
const rememberedAddresses = 20_000

type Bucket = { left: number; at: number }

/** Returns the seconds to wait, or 0 when the request may pass. `now` is a steady clock in ms. */
export function rateLimiter(limits: RateLimits, now: () => number = () => performance.now()): (address: string) => number {
  const buckets = new Map<string, Bucket>()
  const refill = (bucket: Bucket, at: number) => Math.min(limits.burst, bucket.left + ((at - bucket.at) / 1000) * limits.perSecond)

  const forgetFull = (at: number) => {
    for (const [address, bucket] of buckets) if (refill(bucket, at) >= limits.burst) buckets.delete(address)
    if (buckets.size >= rememberedAddresses) buckets.clear()
  }

  return (address) => {
    const at = now()
    const known = buckets.get(address)
    if (!known && buckets.size >= rememberedAddresses) forgetFull(at)
    const left = known ? refill(known, at) : limits.burst
    if (left < 1) {
      buckets.set(address, { left, at })
      return Math.max(1, Math.ceil((1 - left) / limits.perSecond))
    }
    buckets.set(address, { left: left - 1, at })
    return 0
  }
}
