import type { SignedIn } from '#contract/people/session.ts'
import { openFrameMirror } from '#src/db/mirrors/open-frame-mirror.ts'
import { HotDatabase } from '#src/db/hot/hot.ts'
import { browserEnvironment } from '#src/sync/device/browser-environment.ts'
import { createServerClock } from '#src/sync/device/clock.ts'
import { readDeviceFacts } from '#src/sync/device/device-facts.ts'
import { createDrain } from '#src/sync/engine/drain.ts'
import { createExclusion } from '#src/sync/engine/locks.ts'
import { createOpenSheets } from '#src/sync/device/open-sheets.ts'
import { createOutbox } from '#src/sync/engine/outbox.ts'
import { createPull } from '#src/sync/engine/pull.ts'
import { createSession } from '#src/sync/session/session.ts'
import { adoptEpoch } from '#src/sync/engine/settle.ts'

const sheet = '0199d0f0-0000-7000-8000-000000000001'
const lane = `count:${sheet}` as const

const somebody: SignedIn = {
  id_user: 1,
  username: 'bench',
  email: 'bench@clinic.example',
  first_name: 'Bench',
  last_name: 'Person',
  role_ids: ['stock_clerk'],
  permissions: ['count.scan'],
  store_id: 1,
  store_name: 'Downtown',
  locations: [],
  home_navigation: [],
  store_settings: { blind_counts: false, control_preset: 'practice', coverage_percent: 95, scan_gap_ms: 60 },
  // As long as a real one: it travels with every command.
  capture_token: `capture.${'x'.repeat(250)}`,
  access_token: 'access',
  refresh_token: 'refresh',
}

/** The parts of the app that write, send and fetch, assembled as `openDevice` does, without its timers. */
export async function openOurDevice(name: string, mirrorName: string) {
  const environment = browserEnvironment()
  const hot = new HotDatabase(name)
  await hot.openSafely()
  const facts = await readDeviceFacts(environment, hot)
  const exclusion = createExclusion(environment, hot)
  const clock = createServerClock(environment, hot)
  const session = createSession(environment, hot, exclusion, { deviceId: facts.id })
  await Promise.all([session.load(), clock.load()])
  await session.signIn(somebody)
  const frames = openFrameMirror({ name: mirrorName })
  const shared = {
    environment,
    hot,
    session,
    clock,
    exclusion,
    openSheets: createOpenSheets(environment),
    deviceId: facts.id,
    deviceName: facts.name,
    heard: () => undefined,
    doubt: () => undefined,
    set: () => undefined,
    onEpoch: async (epoch: string) => void (await adoptEpoch(hot, epoch)),
  }
  const drain = createDrain({ ...shared, onApplied: () => undefined })
  const pull = createPull({ ...shared, frames, patients: () => Promise.resolve(null), refreshHome: () => undefined })
  const outbox = createOutbox({ ...shared, onRecorded: () => undefined })
  let previous: string | null = null

  /** Resolves when the scan is on the disk, as the screen's beep does. */
  async function scan(code: string): Promise<void> {
    const match = frames.find(code)
    const piece = match && match.by !== 'upc' ? match.frame : null
    const result = await outbox.record(
      'count.scan',
      lane,
      { id_count_sheet: sheet, raw_code: code, id_inventory: piece?.id_inventory ?? null, via: 'scanner', previous_scan: previous },
      { title: `Scan ${code} on count #1` },
    )
    if (!result.saved) throw new Error(result.problem.message)
    previous = result.command.id
  }

  return {
    hot,
    frames,
    drain,
    pull,
    scan,
    async close() {
      drain.close()
      pull.close()
      session.close()
      frames.close()
      hot.close()
    },
  }
}
