import type { RequestOf } from '#contract/core/endpoint.ts'
import { oldestUnsentLimitS, protocol, reportLimit, type syncEndpoints } from '#contract/sync/sync.ts'
import type { HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'
import type { Environment } from '#src/sync/device/environment.ts'
import type { OpenSheets } from '#src/sync/device/open-sheets.ts'
import { wireOf } from '#src/sync/engine/outbox-rows.ts'
import { countHolds, findOldestStaying } from '#src/sync/engine/pick.ts'

export type PushParts = {
  environment: Environment
  hot: HotDatabase
  openSheets: OpenSheets
  deviceId: () => string
  deviceName: () => Promise<string>
}

const laneLimit = 200

/**
 * One push: the commands, and this device's report beside them.
 * @param report the sender's fence, which rises with everything that the device sends
 */
export async function pushBody(
  parts: PushParts,
  commands: readonly OutboxCommand[],
  report: number,
): Promise<RequestOf<typeof syncEndpoints.push>['body']> {
  const { environment, hot } = parts
  const { holds, oldest } = await hot.transaction('r', hot.outbox, async () => ({
    holds: await countHolds(hot, commands),
    oldest: await findOldestStaying(hot, commands),
  }))
  return {
    device_id: parts.deviceId(),
    device_name: (await parts.deviceName()).slice(0, 120),
    protocol,
    commands: commands.map(wireOf),
    report,
    // The server accepts no longer lane names, and such a lane is no sheet's. It must not block the others.
    holds: holds.filter(({ lane }) => lane.length <= laneLimit).slice(0, reportLimit),
    open_sheets: (await parts.openSheets.all()).slice(0, reportLimit),
    oldest_unsent_s: oldest ? ageOf(oldest, environment.now()) : null,
    ...(environment.appVersion !== undefined && { app_version: environment.appVersion }),
  }
}

/** Age in seconds, by the device's clock. The result stays within bounds when that clock was changed meanwhile. */
function ageOf({ created_at }: OutboxCommand, now: number): number {
  const seconds = Math.round((now - Date.parse(created_at)) / 1000)
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), oldestUnsentLimitS)
}
