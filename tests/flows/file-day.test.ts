import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { patientInput } from '#contract/patients/patient.ts'
import type { Device, FileQueue } from '#src/sync/device/device.ts'
import { refreshSealingKey } from '#src/sync/session/fetch-sealing-key.ts'
import { allSent, ClinicDay, newSheet, scan } from '#tests/support/clinic-day.ts'
import { onDisk } from '#tests/support/on-disk.ts'
import { type FakeTablet, until } from '#tests/support/test-device.ts'

let day: ClinicDay

beforeEach(async () => {
  day = await ClinicDay.begin()
})
afterEach(() => day.end())

const patient = v.parse(patientInput, {
  first_name: 'Zuzana',
  last_name: 'Quillfeather',
  street_address: '12 Quarry Ln',
  city: 'Larkspur',
  state: 'NY',
  zip_code: '12345',
  gender: 'Female',
})
const partBytes = 512 * 1024
/** Returns bytes that a test can recognize, also on a disk. */
function scanOf(bytes: number): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(bytes).map((_, index) => (index * 31 + (index >> 8) * 7) & 0xff)
  made.set(new TextEncoder().encode('%PDF-1.4 Quillfeather has glaucoma '))
  return made
}

type Desk = { tablet: FakeTablet; device: Device; queue: FileQueue }

/** A tablet with cryptography and a signed-in user. */
async function at(username: string): Promise<Desk> {
  const tablet = day.tablet()
  const device = await tablet.open({ subtle: crypto.subtle })
  await signIn(device, username)
  return { tablet, device, queue: await device.files() }
}

async function signIn(device: Device, username: string) {
  await day.signIn(device, username)
  await refreshSealingKey(device, Date.now())
  await until('the shelf is open', async () => (await device.patients()).state.getState().status === 'ready')
}

/** Kills and restarts the browser: only the disk survives. */
async function restarted({ tablet, device }: Desk): Promise<Desk> {
  await device.close()
  const again = await tablet.open({ subtle: crypto.subtle })
  return { tablet, device: again, queue: await again.files() }
}

async function registered(device: Device): Promise<string> {
  const id = uuidv7()
  const made = await device.outbox.record('patient.create', `patient:${id}`, { id_patient: id, patient }, { title: 'New patient' })
  if (!made.saved) throw new Error(made.problem.message)
  return id
}

async function known(device: Device): Promise<string> {
  const id = await registered(device)
  await allSent(device)
  return id
}

const choose = (queue: FileQueue, idPatient: string, bytes: Uint8Array<ArrayBuffer>, name = 'Glaucoma letter.pdf') =>
  queue.add({ idPatient, name, category: 'referral', blob: new Blob([bytes]) })
const shown = (queue: FileQueue) => queue.state.getState().files.map(({ name, state, kept }) => [name, state, kept])
const isSent =
  (queue: FileQueue, count = 1) =>
  () =>
    queue.state.getState().files.filter(({ state }) => state === 'sent').length === count

async function atServer() {
  const rows = await day.server.db.pool.selectFrom('patient_files').selectAll().orderBy('uploaded_at').execute()
  return await Promise.all(
    rows.map(async (row) => {
      const stream = await day.server.services.storage.get(row.file_path)
      return { ...row, bytes: new Uint8Array(await new Response(stream).arrayBuffer()) }
    }),
  )
}

describe('a file without a connection', () => {
  test('chosen offline survives a restart, is unreadable on the disk, and is on the server once, byte for byte', async () => {
    let desk = await at('ana')
    const id = await known(desk.device)
    desk.tablet.network.online = false
    await desk.device.probe()
    const bytes = scanOf(2 * partBytes + 1000)
    await choose(desk.queue, id, bytes)
    expect(shown(desk.queue)).toEqual([['Glaucoma letter.pdf', 'waiting', 'yes']])
    await until('it is counted', () => desk.device.connection.getState().files?.waiting === 1)

    desk = await restarted(desk)
    // A try without a network shows it as being sent for a moment.
    await until('it is read and waits', () => desk.queue.state.getState().files[0]?.state === 'waiting')
    expect(desk.queue.state.getState().files).toMatchObject([
      { idPatient: id, name: 'Glaucoma letter.pdf', category: 'referral', size: bytes.length, state: 'waiting', kept: 'yes' },
    ])
    const disk = await onDisk(desk.tablet)
    expect(disk).toContain('unsent-file ')
    expect(disk).not.toMatch(/glaucoma|Quillfeather|referral/i)
    expect(disk).not.toContain(new TextDecoder('latin1').decode(bytes.subarray(partBytes, partBytes + 24)))

    desk.tablet.network.online = true
    await desk.device.probe()
    await until('it is sent', isSent(desk.queue))
    const [file, ...others] = await atServer()
    expect(others).toEqual([])
    expect(file).toMatchObject({ id_patient: id, filename: 'Glaucoma letter.pdf', category: 'referral', size: bytes.length })
    expect(Buffer.from(file?.bytes ?? []).equals(bytes)).toBe(true)
    await until('nothing is counted', () => desk.device.connection.getState().files?.waiting === 0)
    const after = await onDisk(desk.tablet)
    expect(after).not.toContain('unsent-file ')
    expect(after).not.toContain('"index"')
    expect(desk.tablet.surprises).toEqual([])
  })

  test('the next user can neither see nor send it; its author sends it after the next sign-in', async () => {
    const { tablet, device, queue } = await at('ana')
    const id = await known(device)
    tablet.network.online = false
    await device.probe()
    await choose(queue, id, scanOf(1000))
    await device.session.signOut()
    expect(queue.state.getState().files).toEqual([])

    tablet.network.online = true
    await signIn(device, 'maya')
    await device.drain()
    await queue.run(true)
    await until('the tablet names the author', () => queue.state.getState().strange.length === 1)
    expect(queue.state.getState()).toMatchObject({ files: [], strange: [{ author: 'Ana Teixeira', why: 'person' }] })
    expect(await atServer()).toEqual([])
    expect(tablet.network.callsTo('/upload')).toEqual([])
    expect(device.connection.getState().files).toEqual({ waiting: 1, refused: 0 })

    await device.session.signOut()
    await signIn(device, 'ana')
    await until('it is sent', isSent(queue))
    const [file] = await atServer()
    const ana = device.session.state.getState().home?.id_user
    expect(file).toMatchObject({ uploaded_by: ana, id_patient: id })
  })

  test('of a patient who was registered offline leaves after the patient', async () => {
    const { tablet, device, queue } = await at('ana')
    tablet.network.online = false
    await device.probe()
    const id = await registered(device)
    await choose(queue, id, scanOf(3000))
    expect(queue.state.getState().files).toMatchObject([{ afterPatient: true }])
    tablet.network.online = true
    await device.probe()
    await until('it is sent', isSent(queue))
    expect(await atServer()).toMatchObject([{ id_patient: id }])
  })
})

describe('a bad connection', () => {
  test('every answer gets lost once: the record has the file once', async () => {
    const { tablet, device, queue } = await at('ana')
    const id = await known(device)
    const bytes = scanOf(3 * partBytes)
    let calls = 0
    tablet.network.between = async (path, init) => {
      if (!/upload|\/file/.test(path)) return null
      calls += 1
      if (calls % 2 === 0) return null
      await day.answer(path, init)
      throw new TypeError('The connection was lost')
    }
    await choose(queue, id, bytes)
    await until('it is sent', isSent(queue))
    const files = await atServer()
    expect(files).toHaveLength(1)
    expect(Buffer.from(files[0]?.bytes ?? []).equals(bytes)).toBe(true)
  })

  test('an upload that breaks and restarts continues at the part that the server has', async () => {
    let desk = await at('ana')
    const id = await known(desk.device)
    const bytes = scanOf(4 * partBytes)
    let parts = 0
    desk.tablet.network.between = (path) => {
      if (!path.startsWith('/upload/?') || ++parts <= 2) return null
      desk.tablet.network.online = false
      throw new TypeError('The connection was lost')
    }
    await choose(desk.queue, id, bytes)
    await until('two parts are there', () => desk.queue.state.getState().files[0]?.sent === 2 * partBytes)
    await until('it waits', () => desk.queue.state.getState().files[0]?.state === 'waiting')
    desk = await restarted(desk)
    const before = desk.tablet.network.callsTo('/upload/?').length
    desk.tablet.network.between = null
    desk.tablet.network.online = true
    await desk.device.probe()
    await until('it is sent', isSent(desk.queue))
    expect(desk.tablet.network.callsTo('/upload/?').length - before).toBe(2)
    expect(Buffer.from((await atServer())[0]?.bytes ?? []).equals(bytes)).toBe(true)
  })

  test('an upload that waited past the server’s limit starts over, and is there once', async () => {
    const { tablet, device, queue } = await at('ana')
    const id = await known(device)
    const bytes = scanOf(2 * partBytes)
    tablet.network.between = (path) => {
      if (path === '/api/patient/file') tablet.network.online = false
      return null
    }
    await choose(queue, id, bytes)
    await until('all of it is there', () => queue.state.getState().files[0]?.mayBeThere === true)
    await until('it waits', () => queue.state.getState().files[0]?.state === 'waiting')
    day.server.clock.advance(25 * 3_600_000)
    tablet.network.between = null
    tablet.network.online = true
    await signIn(device, 'ana')
    await device.probe()
    await until('it is sent', isSent(queue))
    const files = await atServer()
    expect(files).toHaveLength(1)
    expect(Buffer.from(files[0]?.bytes ?? []).equals(bytes)).toBe(true)
  })

  test('two tabs send two files once each, and a scan waits for neither', async () => {
    const one = await at('ana')
    const other = await one.tablet.open({ subtle: crypto.subtle })
    const second = await other.files()
    const id = await known(one.device)
    one.tablet.network.online = false
    await choose(one.queue, id, scanOf(3 * partBytes), 'one.pdf')
    await choose(second, id, scanOf(2 * partBytes), 'two.pdf')
    const order: string[] = []
    one.tablet.network.between = (path, init) => {
      if (path.startsWith('/upload/') && init.method === 'POST') order.push('part')
      if (path === '/api/sync/push' && typeof init.body === 'string' && init.body.includes('count.scan')) order.push('scan')
      return null
    }
    const sheet = await newSheet(one.device)
    await scan(one.device, sheet, day.code(0))
    one.tablet.network.online = true
    await one.device.probe()
    await until('both are sent', async () => (await atServer()).length === 2)
    await allSent(one.device)
    expect(order.indexOf('scan')).toBe(0)
    await until('nothing waits', () => one.device.connection.getState().files?.waiting === 0)
    await until('nothing waits there either', () => second.state.getState().files.every(({ state }) => state === 'sent'))
    const files = await atServer()
    expect(Object.fromEntries(files.map(({ filename, size }) => [filename, size]))).toEqual({
      'one.pdf': 3 * partBytes,
      'two.pdf': 2 * partBytes,
    })
  })
})
