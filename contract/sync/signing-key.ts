import * as v from 'valibot'

/** A coordinate of a point on P-256: 32 bytes, base64url. */
const coordinate = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes, base64url'))

/** The public half of the key with which a tablet signs what one person does on it (ECDSA, P-256). */
export const signingKey = v.object({ x: coordinate, y: coordinate })
export type SigningKey = v.InferOutput<typeof signingKey>

/** How a key is named where it is looked up. */
export function nameOfKey({ x, y }: SigningKey): string {
  return `${x}.${y}`
}

const capturePayload = v.object({ cnf: v.object({ jwk: signingKey }) })

/**
 * The key that a capture token is bound to, read without proof; null when the token is bound to none. A tablet finds its own key by this. The
 * server reads it from a token whose signature it has checked.
 */
export function boundKeyOf(captureToken: string): SigningKey | null {
  const payload = captureToken.split('.')[1]
  if (payload === undefined) return null
  try {
    const read = v.safeParse(capturePayload, JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))))
    return read.success ? read.output.cnf.jwk : null
  } catch {
    return null
  }
}
