import { useCallback, useEffect, useState } from 'react'
import type { Endpoint, RequestOf, ResponseOf } from '#contract/core/endpoint.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { keepAnswer, type KeptAnswer, type KeptEndpoint, keptKey, readKept } from '#src/sync/device/kept-answers.ts'
import { type Loaded, useLoaded } from '#src/sync/react/use-loaded.ts'

export type Kept<T> = Loaded<T> & { keptAt: string | null }

/**
 * The server's answer. Until it comes, or when the server cannot be reached, the tablet's last answer. `keptAt` is the
 * time of that answer, while it shows.
 */
export function useKept<E extends KeptEndpoint>(
  endpoint: E,
  request: RequestOf<E>,
  options: { timeoutMs?: number } = {},
): Kept<ResponseOf<E>> {
  return useAnswer(endpoint, request, options)
}

const isKept = (endpoint: Endpoint): endpoint is KeptEndpoint => endpoint.cached === 'recent'

/** The server's answer to a request. The tablet only keeps answers of the endpoints that allow it. */
export function useAnswer<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  options: { timeoutMs?: number } = {},
): Kept<ResponseOf<E>> {
  const device = useDevice()
  const id_user = useSession((session) => session.home?.id_user)
  const store_id = useSession((session) => session.home?.store_id)
  const asked = JSON.stringify(request)
  const { timeoutMs } = options
  const load = useCallback(async () => {
    const at = new Date(device.serverNow()).toISOString()
    const answer = (await device.call<Endpoint>(endpoint, JSON.parse(asked), timeoutMs === undefined ? {} : { timeoutMs })) as Outcome<
      ResponseOf<E>
    >
    if (answer.ok && isKept(endpoint) && id_user !== undefined && store_id !== undefined) {
      const keeper = { id_user, store_id }
      const kept = { at, value: answer.value }
      // On a full disk the answer still shows. It is only missing without a connection.
      keepAnswer(device.hot, keeper, keptKey(keeper, endpoint, asked), kept).catch(() => undefined)
    }
    return answer
  }, [device, endpoint, asked, timeoutMs, id_user, store_id])
  const { value, failure, reload } = useLoaded(load)

  const [found, setFound] = useState<{ of: typeof load; kept: KeptAnswer<ResponseOf<E>> | null } | null>(null)
  useEffect(() => {
    if (!isKept(endpoint) || id_user === undefined || store_id === undefined) return
    let gone = false
    readKept(device.hot, keptKey({ id_user, store_id }, endpoint, asked), endpoint).then(
      (kept) => gone || setFound({ of: load, kept }),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [device, endpoint, asked, id_user, store_id, load])

  // After a refusal the kept answer does not show.
  const kept = found?.of === load && failure?.kind !== 'refused' ? found.kept : null
  return {
    value: value ?? kept?.value,
    failure,
    reload,
    keptAt: value === undefined && failure && kept ? kept.at : null,
  }
}
