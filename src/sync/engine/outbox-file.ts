import * as v from 'valibot'
import { canonicalJson, hashedText } from '#contract/sync/command-hash.ts'
import { wireCommand } from '#contract/sync/command.ts'
import { instant } from '#contract/core/primitives.ts'
import type { HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import { signCommands } from '#src/sync/engine/sign-commands.ts'
import { highWaterKey, highWaterOf } from '#src/sync/engine/lane-numbers.ts'

/** A file with all unsent work of a device, for any other device to import. `checksum` is over the commands. */
const file = v.object({
  format: v.literal('lorgnette-unsent'),
  version: v.literal(1),
  exported_at: v.string(),
  device_id: v.string(),
  device_name: v.string(),
  checksum: v.string(),
  commands: v.array(v.unknown()),
})

const entry = v.object({
  ...wireCommand.entries,
  title: v.pipe(v.string(), v.maxLength(500)),
  created_at: instant,
  body_hash: v.nullable(v.string()),
})

type Parts = { deviceId: () => string; deviceName: () => Promise<string> }

export async function exportUnsent(environment: Environment, hot: HotDatabase, parts: Parts): Promise<string> {
  // Only this device has the keys to sign with.
  const waiting = await signCommands(environment, hot, await hot.outbox.toArray())
  // A damaged command is exported unchanged: it must not keep the others from being rescued.
  const commands = waiting.map((command): unknown => {
    const parsed = v.safeParse(entry, command)
    return parsed.success ? parsed.output : command
  })
  const content: v.InferOutput<typeof file> = {
    format: 'lorgnette-unsent',
    version: 1,
    exported_at: new Date(environment.now()).toISOString(),
    device_id: parts.deviceId(),
    device_name: await parts.deviceName(),
    checksum: await environment.sha256(canonicalJson(commands)),
    commands,
  }
  return JSON.stringify(content, null, 1)
}

/** Ids, hashes and the device of origin do not change, so that the server recognizes work that it already has. */
export async function importUnsent(
  environment: Environment,
  hot: HotDatabase,
  deviceId: string,
  text: string,
): Promise<{ added: number; known: number; problems: string[] }> {
  const nothing = (problem: string) => ({ added: 0, known: 0, problems: [problem] })
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return nothing('This isn’t an unsent work file, or it can’t be read.')
  }
  const content = v.safeParse(file, read)
  if (!content.success) return nothing('This version of the app can’t read this unsent work file.')
  if ((await environment.sha256(canonicalJson(content.output.commands))) !== content.output.checksum) {
    return nothing('The file was changed or damaged. Export it again.')
  }

  const problems: string[] = []
  const commands: OutboxCommand[] = []
  for (const [index, item] of content.output.commands.entries()) {
    const parsed = v.safeParse(entry, item)
    if (!parsed.success) {
      problems.push(`Entry ${index + 1} couldn’t be read.`)
      continue
    }
    const { body_hash } = parsed.output
    if (body_hash !== null && (await environment.sha256(hashedText(parsed.output))) !== body_hash) {
      problems.push(`${parsed.output.title}: it doesn’t match what was recorded.`)
      continue
    }
    commands.push({ ...parsed.output, state: 'queued', attempts: 0, failing_since: null, not_before: 0, last_error: null })
  }

  return await hot.transaction('rw', hot.outbox, hot.settled, hot.facts, async () => {
    let added = 0
    let known = 0
    for (const command of commands) {
      const [waiting, settled] = await Promise.all([hot.outbox.get(command.id), hot.settled.get(command.id)])
      if (waiting || settled) {
        known += 1
        continue
      }
      const place = await hot.outbox.where('[lane+lane_seq+device_id]').equals([command.lane, command.lane_seq, command.device_id]).count()
      if (place > 0) {
        problems.push(`${command.title}: different work has the same number.`)
        continue
      }
      await hot.outbox.add(command)
      if (command.device_id === deviceId && (await highWaterOf(hot, command.lane)) < command.lane_seq) {
        await hot.facts.put({ key: highWaterKey(command.lane), value: command.lane_seq })
      }
      added += 1
    }
    return { added, known, problems }
  })
}
