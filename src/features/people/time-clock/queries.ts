import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { punchBody } from '#contract/people/people-commands.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import { punchTime, type ClockPunch } from '#contract/people/time-clock.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'

/** A punch on its owner's screen: the server's, or one that is unsent on this device. */
export type OwnPunch = ClockPunch & { waiting: boolean; edited_by_name: string | null; edit_reason: string | null }

/** How long a confirmed punch shows from its receipt, while no pull has brought its row. */
const settlingMs = 60_000

/**
 * Returns the user's own punches since `since` (ISO): the mirror folded with the outbox entries under their username or
 * email.
 * Returns undefined until they are read.
 */
export function useOwnPunches(home: Pick<HomeInfo, 'id_user' | 'username' | 'email'> | null, since: string): OwnPunch[] | undefined {
  const device = useDevice()
  const { hot } = device
  const { id_user, username = '', email = '' } = home ?? {}
  return useLiveQuery(async () => {
    const mirrored = (await hot.punches.where('at').aboveOrEqual(since).toArray()).filter((punch) => punch.id_user === id_user)
    const names = new Set([username.toLowerCase(), email.toLowerCase()])
    const recently = new Date(device.serverNow() - settlingMs).toISOString()
    const waiting = await hot.outbox.toArray()
    const settling = await hot.settled.where('settled_at').above(recently).toArray()
    const known = new Set(mirrored.map((punch) => punch.id))
    const own = [
      ...waiting.filter((command) => command.state !== 'needs-attention').map((command) => ({ command, waiting: true })),
      ...settling.filter((settled) => settled.outcome === 'applied').map(({ command }) => ({ command, waiting: false })),
    ].flatMap(({ command, waiting: waits }) => {
      const body = command.kind === 'punch.record' ? v.safeParse(punchBody, command.body) : null
      if (!body?.success || known.has(command.id) || !names.has(body.output.username.toLowerCase())) return []
      known.add(command.id)
      const { at } = punchTime(command.captured)
      const made = { id: command.id, direction: body.output.direction, at, received_at: at, supersedes: null, in_review: false }
      return [{ ...made, waiting: waits, edited_by_name: null, edit_reason: null }]
    })
    return [...mirrored.map((punch) => ({ ...punch, waiting: false })), ...own]
  }, [device, hot, id_user, username, email, since])
}

/** Returns the server's time in ms. Updates every few seconds. */
export function useServerNow(everyMs = 10_000): number {
  const device = useDevice()
  const [now, setNow] = useState(() => device.serverNow())
  useEffect(() => {
    const timer = setInterval(() => setNow(device.serverNow()), everyMs)
    return () => clearInterval(timer)
  }, [device, everyMs])
  return now
}
