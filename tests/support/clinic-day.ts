import { v7 as uuidv7 } from 'uuid'
import { wholeStore } from '#contract/counts/count-sheets.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'
import { FakeTablet, until } from '#tests/support/test-device.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

/** A clinic for one test: a server with seeded users and frames, and any number of tablets. */
export class ClinicDay {
  readonly server: TestServer
  readonly tablets: FakeTablet[] = []

  private constructor(server: TestServer) {
    this.server = server
  }

  static async begin(): Promise<ClinicDay> {
    return new ClinicDay(await startTestServer())
  }

  /** Returns the server's answer over a network without faults. */
  answer = async (path: string, init: RequestInit): Promise<Response> =>
    await this.server.app.request(path, init, { connection: { remoteAddress: '127.0.0.1', encrypted: false } })

  tablet(options: { haste?: number } = {}): FakeTablet {
    const tablet = new FakeTablet(this.answer, { start: this.server.clock.now(), signing: crypto.subtle, ...options })
    this.tablets.push(tablet)
    return tablet
  }

  async signIn(device: Device, username: string): Promise<void> {
    const key = await device.session.signingKey()
    await device.session.signIn(await this.server.signIn(username, device.deviceId, key))
  }

  /** A new tablet with a signed-in user. */
  async at(username: string, options: { haste?: number } = {}): Promise<{ tablet: FakeTablet; device: Device }> {
    const tablet = this.tablet(options)
    const device = await tablet.open()
    await this.signIn(device, username)
    return { tablet, device }
  }

  /** Returns the tag of the store's nth frame. The first 27 are ready for sale. */
  code(nth: number): string {
    const frame = this.server.seed.frames.downtown[nth]
    if (!frame) throw new Error(`The clinic has no frame ${nth}`)
    return frame.sku
  }

  /** Returns the server's scans of a sheet, in the order of applying. */
  scansAtServer = (sheet: string) =>
    this.server.db.pool.selectFrom('count_scans').selectAll().where('id_count_sheet', '=', sheet).orderBy('revision').execute()

  receiptsAtServer = () => this.server.db.pool.selectFrom('receipts').selectAll().orderBy('number').execute()

  async end(): Promise<void> {
    await Promise.all(this.tablets.map((tablet) => tablet.close()))
    await this.server.close()
  }
}

type Recorded = Awaited<ReturnType<Device['outbox']['record']>>

function saved(made: Recorded): OutboxCommand {
  if (!made.saved) throw new Error(`NOT SAVED: ${made.problem.message}`)
  return made.command
}

export async function newSheet(device: Device): Promise<string> {
  const id = uuidv7()
  const body = { id_count_sheet: id, scope: wholeStore, notes: '', blind: false }
  saved(await device.outbox.record('count.create', `count:${id}`, body, { title: 'New count' }))
  return id
}

export async function scan(device: Device, sheet: string, code: string): Promise<OutboxCommand> {
  const body = { id_count_sheet: sheet, raw_code: code, id_inventory: null, via: 'scanner' as const, previous_scan: null }
  return saved(await device.outbox.record('count.scan', `count:${sheet}`, body, { title: `Scan ${code}` }))
}

export async function undo(device: Device, sheet: string, negates: string): Promise<OutboxCommand> {
  return saved(await device.outbox.record('count.undo', `count:${sheet}`, { id_count_sheet: sheet, negates }, { title: 'Undo' }))
}

export async function note(device: Device, sheet: string, notes: string): Promise<OutboxCommand> {
  return saved(await device.outbox.record('count.note', `count:${sheet}`, { id_count_sheet: sheet, notes }, { title: 'Note' }))
}

export async function close(
  device: Device,
  sheet: string,
  confirmed_missing: number,
  override_devices: string[] | null = null,
): Promise<OutboxCommand> {
  const body = { id_count_sheet: sheet, confirmed_missing, override_devices, searched: true }
  return saved(await device.outbox.record('count.close', `count:${sheet}`, body, { title: 'Close' }))
}

export const isEmpty = (device: Device) => async () => (await device.hot.outbox.count()) === 0

export async function allSent(...devices: Device[]): Promise<void> {
  for (const device of devices) await until('everything was sent', isEmpty(device))
}

export const stateOf = async (device: Device, command: { id: string }) => (await device.hot.outbox.get(command.id))?.state
