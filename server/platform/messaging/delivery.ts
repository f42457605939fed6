/**
 * What became of handing a message to the service that sends it. The service is asked once each time:
 * - `sent`: it has taken it;
 * - `refused`: it has not, and never will;
 * - `later`: it has certainly not taken it, and may when it is asked again;
 * - `unknown`: it may have taken it. Asking again could send it twice.
 *
 * `reason` goes to the log: a code of ours or a number of the protocol, never a service's own words, which quote what they refuse.
 */
export type Delivery =
  | { as: 'sent' }
  | { as: 'refused'; problem: 'refused' | 'undeliverable'; reason: string }
  | { as: 'later'; reason: string; afterS?: number }
  | { as: 'unknown'; reason: string }

/** A service for one channel. `id` is the message's own: the service knows it by it. Never throws. */
export type Sender = {
  send(message: { id: string; to: string; subject: string | null; text: string }): Promise<Delivery>
  /** A message that it may have taken can be given to it again. */
  repeatsSafely: boolean
}
