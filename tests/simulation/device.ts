import { createHash } from 'node:crypto'
import { IDBKeyRange } from 'fake-indexeddb'
import { drainInWorker } from '#sw/worker-tasks.ts'
import type { Device } from '#src/sync/device/device.ts'
import type { Channel, Environment, PageMoments } from '#src/sync/device/environment.ts'
import { touchedKey } from '#src/sync/device/idling.ts'
import { openDevice } from '#src/sync/device/open-device.ts'
import type { ClinicServer } from './clinic-server.ts'
import { dice, type Dice } from './dice.ts'
import { Disk } from './disk.ts'
import { DeviceLocks } from './locks.ts'
import { DeviceNetwork } from './network.ts'
import { Process } from './process.ts'
import { time, wallStart } from './virtual-time.ts'

export type Tab = {
  process: Process
  /** Null until the app has started in it. */
  device: Device | null
  starting: Promise<Device | null>
  visible: boolean
  listeners: { back: Set<() => void>; leave: Set<() => void>; offline: Set<() => void>; storage: Set<(key: string | null) => void> }
}

/** The remains of a device that was switched off. */
export type SwitchedOff = { disk: Disk; stored: ReadonlyMap<string, string> }

type Written = { at: number; key: string; before: string | null }

/** A tablet or a desktop computer: the parts that survive a kill of the browser, and its tabs and worker. */
export class SimulatedDevice {
  readonly name: string
  readonly disk: Disk
  readonly locks = new DeviceLocks()
  readonly network: DeviceNetwork
  readonly surprises: string[] = []
  tabs: Tab[] = []
  workers: Process[] = []
  clockErrorMs = 0
  /** Whether the browser has Web Locks. */
  readonly hasLocks: boolean
  /** Whether the page has cryptography, and so may keep patients. */
  readonly keepsPatients: boolean
  wipes = 0
  /** Whether the app had run here before the browser deleted its data, and whether it said so afterwards. */
  wasUsedBeforeWipe = false
  saidWiped = false
  /** Runs after every kill of a process here. */
  afterKill: () => void = () => {}
  /** The id that was made last. */
  lastMadeId = ''
  /** Every app that ran here. The end of the history closes them. */
  readonly opened: Device[] = []
  readonly #stored: Map<string, string>
  #written: Written[] = []
  #channels = new Map<string, Set<{ process: Process; hear: (message: unknown) => void }>>()
  readonly #dice: Dice
  readonly #trace: (line: string) => void
  #processes = 0
  #lastId = 0

  /** @param before its state when it was switched off; null for a new device */
  constructor(
    name: string,
    server: ClinicServer,
    seed: number,
    hasLocks: boolean,
    trace: (line: string) => void,
    before: SwitchedOff | null = null,
    keepsPatients = false,
  ) {
    this.name = name
    this.disk = before?.disk.copy() ?? new Disk()
    this.#stored = new Map(before?.stored)
    this.hasLocks = hasLocks
    this.keepsPatients = keepsPatients
    this.#dice = dice(seed, `device ${name}`)
    this.#trace = trace
    this.network = new DeviceNetwork(server, dice(seed, `network ${name}`), trace)
  }

  wall(): number {
    return Math.round(wallStart + time.now() + this.clockErrorMs)
  }

  /** Makes ids of version 7 by the clock of this device. */
  newId = (): string => {
    this.#lastId = Math.max(this.#lastId + 1, this.wall())
    const stamp = this.#lastId.toString(16).padStart(12, '0')
    const rest = Array.from({ length: 5 }, () => this.#dice.below(65_536).toString(16).padStart(4, '0'))
    this.lastMadeId = `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${rest[0]?.slice(1)}-8${rest[1]?.slice(1)}-${rest.slice(2).join('')}`
    return this.lastMadeId
  }

  openTab(): Tab {
    const process = this.#newProcess('tab')
    const listeners = {
      back: new Set<() => void>(),
      leave: new Set<() => void>(),
      offline: new Set<() => void>(),
      storage: new Set<never>(),
    }
    const tab: Tab = { process, device: null, starting: Promise.resolve(null), visible: true, listeners }
    tab.starting = openDevice(this.#environment(process, tab)).ready.then(
      (device) => {
        tab.device = device
        this.opened.push(device)
        if (device.connection.getState().databaseBlocked === 'wiped') this.saidWiped = true
        if (process.state === 'dead') return null
        return device
      },
      (error: unknown) => {
        this.#trace(`${process.name} could not start: ${String(error)}`)
        process.kill('failed start')
        return null
      },
    )
    this.tabs.push(tab)
    process.onEnd(() => {
      this.tabs = this.tabs.filter((other) => other !== tab)
    })
    return tab
  }

  /** The browser wakes the worker, with or without an open tab. */
  wakeWorker(): Process {
    const process = this.#newProcess('worker')
    this.workers.push(process)
    drainInWorker(this.#environment(process, null))
      .then(
        () => this.#trace(`${process.name} has sent everything`),
        (error: unknown) => this.#trace(`${process.name} left something: ${String(error)}`),
      )
      .finally(() => process.kill('worker at its end'))
    return process
  }

  /** The contents of local storage. */
  stored(): ReadonlyMap<string, string> {
    return this.#stored
  }

  /** A user touches one of its tabs. */
  touch(tab: Tab): void {
    this.#store(tab.process, touchedKey, String(this.wall()))
  }

  /** Returns its state while nothing runs on it. */
  switchedOff(): SwitchedOff {
    return { disk: this.disk.copy(), stored: new Map(this.#stored) }
  }

  /** The whole browser dies. Writes to local storage of the last seconds are lost. */
  killBrowser(lostMs: number): void {
    for (const tab of this.tabs.slice()) tab.process.kill('browser killed')
    for (const process of this.workers.splice(0)) process.kill('browser killed')
    for (const { at, key, before } of this.#written.toReversed()) {
      if (at < time.now() - lostMs) break
      if (before === null) this.#stored.delete(key)
      else this.#stored.set(key, before)
    }
    this.#written = []
  }

  /** The browser deletes its databases. Local storage may stay. */
  wipe(): void {
    this.killBrowser(0)
    // A write of this very moment is lost with the browser. The tablet then counts as new.
    this.wasUsedBeforeWipe ||= this.#stored.size > 0
    this.disk.wipe()
    this.wipes += 1
    this.saidWiped = false
  }

  tellReturn(tab: Tab): void {
    for (const listener of tab.listeners.back) tab.process.enter('page is back', listener)
  }

  tellOffline(): void {
    for (const tab of this.tabs) for (const listener of tab.listeners.offline) tab.process.enter('offline', listener)
  }

  #newProcess(kind: 'tab' | 'worker'): Process {
    this.#processes += 1
    const process = new Process(`${this.name}/${kind}${this.#processes}`)
    process.onKilled = (where) => {
      this.#trace(`${process.name} ended at: ${where}`)
      this.afterKill()
    }
    return process
  }

  #environment(process: Process, tab: Tab | null): Environment {
    const begun = time.now()
    return {
      fetch: this.network.fetchFor(process),
      origin: '',
      schedule: (ms, work) => time.schedule(ms, () => process.enter('timer', work)),
      indexedDB: this.disk.factoryFor(process),
      IDBKeyRange,
      localStorage: tab && {
        getItem: (key) => this.#stored.get(key) ?? null,
        setItem: (key, value) => this.#store(process, key, value),
        removeItem: (key) => this.#store(process, key, null),
      },
      locks: this.hasLocks ? this.locks.face(process) : null,
      caches: null,
      openChannel: (name) => this.#openChannel(process, name),
      now: () => this.wall(),
      monotonic: () => time.now() - begun,
      random: () => this.#dice.next(),
      newId: this.newId,
      sha256: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
      subtle: this.keepsPatients ? crypto.subtle : null,
      signing: crypto.subtle,
      timeZone: () => 'America/New_York',
      diskPatienceMs: 3000,
      report: (error) => {
        if (process.state === 'dead') return
        this.surprises.push(`${process.name}: ${String(error)}`)
        this.#trace(`${process.name} reports ${String(error).split('\n')[0]}`)
      },
      databaseName: this.name,
      page: tab && this.#page(tab),
    }
  }

  #page({ listeners, process }: Tab): PageMoments {
    const on = <T>(all: Set<T>) => {
      return (listener: T) => {
        all.add(listener)
        return () => void all.delete(listener)
      }
    }
    return {
      visible: () => process.state !== 'frozen',
      onReturn: on(listeners.back),
      onLeave: on(listeners.leave),
      onOffline: on(listeners.offline),
      onStorage: on(listeners.storage),
      askForBackgroundSync: () => undefined,
    }
  }

  #store(process: Process, key: string, value: string | null): void {
    if (process.state === 'dead') return
    const before = this.#stored.get(key) ?? null
    if (before === value) return
    this.#written.push({ at: time.now(), key, before })
    if (value === null) this.#stored.delete(key)
    else this.#stored.set(key, value)
    for (const tab of this.tabs) {
      if (tab.process === process) continue
      for (const listener of tab.listeners.storage) time.schedule(2, () => tab.process.enter('storage', () => listener(key)))
    }
  }

  #openChannel(process: Process, name: string): Channel {
    const members = this.#channels.get(name) ?? new Set()
    this.#channels.set(name, members)
    const listeners: ((message: unknown) => void)[] = []
    const member = { process, hear: (message: unknown) => listeners.forEach((listener) => listener(message)) }
    members.add(member)
    const close = () => void members.delete(member)
    process.onEnd(close)
    return {
      post(message) {
        for (const other of members) {
          if (other !== member) time.schedule(1, () => other.process.enter(`channel ${name}`, () => other.hear(message)))
        }
      },
      listen: (listener) => void listeners.push(listener),
      close,
    }
  }
}
