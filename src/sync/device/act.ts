import type { HomeInfo } from '#contract/people/session.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'

/** Why the server cannot be asked: it is out of reach, or the session has ended. */
export type CutOff = 'offline' | 'signed-out'

/** Why an action waits here. `no-answer`: the server may have done it already. `behind`: earlier work on the same thing waits. */
export type KeptBecause = CutOff | 'no-answer' | 'behind'

/** The result of an action: the server did it, it waits on this device (`kept`), or neither happened. */
export type Acted<T> = Outcome<T> | { ok: true; kept: KeptBecause }

type Ways<T> = {
  /** Asks the server. */
  live: () => Promise<Outcome<T>>
  /** Records it here, for the user who did it. Returns the reason it was not saved, else null. */
  record: (by: HomeInfo | null) => Promise<string | null>
  /** The server does it once, under its id. So it is also recorded after a call without an answer. */
  isOnce?: boolean
  /** Earlier work on the same thing waits here. A call would overtake it. */
  isBehind?: boolean
}

/**
 * Does an action at the server, or records it here when the server cannot be asked. A refused action is not recorded.
 */
export async function act<T>(
  device: Pick<Device, 'connection' | 'session'>,
  { live, record, isOnce = false, isBehind = false }: Ways<T>,
): Promise<Acted<T>> {
  const { home, ended } = device.session.state.getState()
  const isOffline = device.connection.getState().online === false
  let kept: KeptBecause | null = isOffline ? 'offline' : ended ? 'signed-out' : isBehind ? 'behind' : null
  if (kept === null) {
    const answer = await live()
    if (answer.ok || answer.failure.kind === 'refused') return answer
    const hasEnded = Boolean(device.session.state.getState().ended)
    if (!isOnce && !(answer.failure.kind === 'signed-out' && hasEnded)) return answer
    kept = hasEnded ? 'signed-out' : 'no-answer'
  }
  const problem = await record(home)
  return problem === null ? { ok: true, kept } : { ok: false, failure: { kind: 'unreachable', message: problem } }
}
