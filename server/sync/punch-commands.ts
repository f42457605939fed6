import { punchTime, storableInstant } from '#contract/people/time-clock.ts'
import { applyPunch } from '#server/features/people/time-clock/apply-punch.ts'
import { proveQueuedPunch } from '#server/features/people/time-clock/punch-proof.ts'
import { keepUnheardPunch } from '#server/features/people/time-clock/unheard-punch.ts'
import type { CommandEntries } from '#server/platform/http/command-applier.ts'
import { tabletOf } from '#server/platform/http/scope.ts'

/** Punches in a batch: the same work as for punches that are sent alone. */
export const punchCommands: CommandEntries<'punch.record'> = {
  'punch.record': {
    permission: null,
    async repeated({ command, body, services, deliverer }) {
      await keepUnheardPunch(services, { ...command, ...body, id: command.id.toLowerCase() }, deliverer.id_user)
    },
    async prepare({ command, body, services, deliverer }) {
      const id = command.id.toLowerCase()
      // The delivering session identifies the tablet.
      const proof = await proveQueuedPunch(services, { ...body, id }, { kind: 'tablet', device_id: tabletOf(deliverer) })
      const { at, skewMs } = punchTime(command.captured)
      return {
        scopes: proof.person ? [`user:${proof.person.id_user}`] : [],
        async apply({ writing, deliverer, receivedAt }) {
          await applyPunch(writing, {
            id,
            ...proof,
            username: body.username,
            direction: body.direction,
            at,
            deviceWall: storableInstant(Date.parse(command.captured.wall)),
            receivedAt,
            skewMs,
            live: false,
            deviceId: command.device_id,
            delivererId: deliverer?.id_user ?? null,
            storeId: body.store_id,
          })
          // The punch reaches its owner's devices by a pull, because the deliverer may be someone else.
          return { rows: [] }
        },
      }
    },
  },
}
