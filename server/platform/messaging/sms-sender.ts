import type { Delivery, Sender } from '#server/platform/messaging/delivery.ts'
import type { MessagingConfig } from '#server/platform/services.ts'

type Settings = NonNullable<MessagingConfig['sms']>

/**
 * The message has arrived nowhere: the name was not found, nobody answered, or the other side has the wrong identity.
 */
const neverReached =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL)/

/** Text messages through a service over HTTP, as docs/operations.md describes it. `timeoutMs` for the whole answer. */
export function smsSender(settings: Settings, timeoutMs = 20_000): Sender {
  return {
    repeatsSafely: settings.repeatsSafely,
    async send({ id, to, text }) {
      try {
        const answer = await fetch(settings.url, {
          method: 'POST',
          headers: { authorization: `Bearer ${settings.token}`, 'content-type': 'application/json', 'idempotency-key': id },
          body: JSON.stringify({ id, from: settings.from, to: `+1${to}`, text }),
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMs),
        })
        await answer.body?.cancel()
        return deliveryOf(answer)
      } catch (error) {
        const reason = causeOf(error)
        return neverReached.test(reason) ? { as: 'later', reason } : { as: 'unknown', reason }
      }
    },
  }
}

function deliveryOf({ status, headers }: Response): Delivery {
  const reason = String(status)
  // A page from a portal or proxy in between is no answer of the service.
  if (status >= 200 && status < 300) return isJson(headers) ? { as: 'sent' } : { as: 'unknown', reason: 'not-json' }
  // The service says that it did not accept it: it is busy or broken, or this server's credentials are wrong, which its
  // keeper can fix.
  if ([401, 403, 408, 429, 500, 503].includes(status) || (status >= 300 && status < 400)) {
    const wait = Number(headers.get('retry-after'))
    return { as: 'later', reason, ...(wait > 0 && { afterS: wait }) }
  }
  if (status >= 400 && status < 500) {
    return { as: 'refused', problem: status === 404 || status === 422 ? 'undeliverable' : 'refused', reason }
  }
  // 502 and 504 come from a proxy in between: the service behind it may have accepted the message.
  return { as: 'unknown', reason }
}

function isJson(headers: Headers): boolean {
  return /^application\/(\w+\+)?json\b/.test(headers.get('content-type') ?? '')
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  if (typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof Error ? cause.name : 'unknown'
}
