import { commandVersions } from '#contract/sync/command-versions.ts'
import type { Captured, CommandBody, CommandKind } from '#contract/sync/commands.ts'
import type { HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'
import type { Outbox } from '#src/sync/device/device.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { raiseHighWater } from '#src/sync/engine/lane-numbers.ts'
import { currentEpoch, type Draft, wireOf } from '#src/sync/engine/outbox-rows.ts'

/** What a user can do with refused work. */
export type OutboxRepair = Pick<Outbox, 'retry' | 'correct' | 'discard'>

type RepairParts = {
  environment: Environment
  hot: HotDatabase
  deviceId: () => string
  draft: (
    kind: CommandKind,
    lane: string,
    body: Record<string, unknown>,
    more: { title: string; captured?: Captured; store_id?: number | null },
  ) => Draft
  hashed: <D extends Draft>(made: D) => Promise<D>
  sealed: (made: Draft) => Promise<Draft>
  /** The next number of a lane, read in the present transaction. */
  readNext: (lane: string) => Promise<number>
  withReopening: <T>(work: () => Promise<T>) => Promise<T>
  /** Called when the outbox has changed. */
  changed: () => void
}

export function createOutboxRepair(parts: RepairParts): OutboxRepair {
  const { environment, hot, draft, hashed, sealed, readNext, withReopening } = parts

  const isOurs = ({ device_id }: OutboxCommand) => device_id === parts.deviceId()

  async function attention(id: string): Promise<OutboxCommand> {
    const command = await hot.outbox.get(id)
    if (!command) throw new Error('This work was already sent')
    if (command.state !== 'needs-attention')
      throw new Error('This work is still waiting to send. You can change only work the server refused')
    return command
  }

  /** Removes the refused command and adds the discard for the server, in one transaction. */
  async function giveUp(command: OutboxCommand, reason: string, successor: OutboxCommand | null) {
    const discard = await hashed(
      draft(
        'command.discard',
        `discard:${parts.deviceId()}`,
        {
          discarded_id: command.id,
          discarded_kind: command.kind,
          discarded_body: command.body,
          reason,
        } satisfies CommandBody<'command.discard'>,
        { title: `Discard: ${command.title}`, store_id: command.store_id },
      ),
    )
    const epoch = await currentEpoch(hot)
    await withReopening(() =>
      hot.transaction('rw', hot.outbox, hot.facts, hot.settled, async () => {
        const now = await hot.outbox.get(command.id)
        if (now?.state !== 'needs-attention') throw new Error('This work was already sent')
        await hot.outbox.delete(command.id)
        if (successor) await hot.outbox.add(isOurs(command) ? successor : { ...successor, lane_seq: await readNext(successor.lane) })
        else await raiseHighWater(hot, parts.deviceId(), [command])
        await hot.outbox.add({ ...discard, lane_seq: await readNext(discard.lane) })
        await hot.settled.put({
          id: command.id,
          lane: command.lane,
          settled_at: new Date(environment.now()).toISOString(),
          number: null,
          epoch,
          title: command.title,
          author_name: command.author.name,
          outcome: 'discarded',
          command: wireOf(command),
          receipt: null,
        })
      }),
    )
    parts.changed()
  }

  return {
    async retry(id) {
      await hot.transaction('rw', hot.outbox, async () => {
        const command = await attention(id)
        await hot.outbox.put({ ...command, state: 'queued', attempts: 0, failing_since: null, not_before: 0 })
      })
      parts.changed()
    },
    async correct(id, body) {
      const command = await attention(id)
      const isPunch = command.kind === 'punch.record'
      const made = draft(knownKind(command.kind), command.lane, body, {
        title: command.title,
        store_id: command.store_id,
        // A punch keeps its time, whichever user repairs it.
        ...(isPunch && { captured: command.captured }),
      })
      // The successor takes its place and number, so scans that wait for a corrected sheet stay behind it. Imported
      // work becomes work of this tablet, because its new proof is this tablet's.
      await giveUp(command, 'corrected', await hashed({ ...(await sealed(made)), lane_seq: command.lane_seq }))
    },
    async discard(id, reason) {
      await giveUp(await attention(id), reason, null)
    },
  }
}

function knownKind(kind: string): CommandKind {
  const found = (Object.keys(commandVersions) as CommandKind[]).find((known) => known === kind)
  if (!found) throw new Error('Another version of the app made this work, so it can’t be fixed here')
  return found
}
