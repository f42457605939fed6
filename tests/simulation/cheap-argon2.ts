import { createHash } from 'node:crypto'

/** Replaces @node-rs/argon2, which is slow on purpose and runs in another thread. */
export type Options = Record<string, unknown>

export function hash(password: string): Promise<string> {
  return Promise.resolve(createHash('sha256').update(password).digest('hex'))
}

export async function verify(stored: string, password: string): Promise<boolean> {
  return (await hash(password)) === stored
}
