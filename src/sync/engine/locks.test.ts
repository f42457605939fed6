import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HotDatabase } from '#src/db/hot/hot.ts'
import { createExclusion, type Exclusion } from '#src/sync/engine/locks.ts'
import { FakeClinic, person } from '#tests/support/fake-clinic.ts'
import { FakeTablet, until } from '#tests/support/test-device.ts'

describe('a browser with Web Locks', () => {
  let tablet: FakeTablet
  let hot: HotDatabase
  let endings: (() => void)[]
  /** Its patience only ends when the test says so. */
  const inTab = (): Exclusion => {
    const schedule = (_ms: number, work: () => void) => {
      endings.push(work)
      return () => void (endings = endings.filter((other) => other !== work))
    }
    return createExclusion({ ...tablet.environment(), schedule }, hot)
  }
  const loseFirstPatience = () => endings[0]?.()

  /** A tab that has the lock and sleeps until the test wakes it. */
  async function asleep() {
    let wake = () => {}
    let done: Promise<string> = Promise.resolve('')
    await new Promise<void>((hasBegun) => {
      done = inTab().exclusively('drain', 60_000, async () => {
        hasBegun()
        await new Promise<void>((resolve) => (wake = resolve))
        return 'done after all'
      })
    })
    return { wake, done }
  }

  beforeEach(() => {
    endings = []
    tablet = new FakeTablet(new FakeClinic().answer)
    hot = new HotDatabase('locks', { indexedDB: new IDBFactory(), IDBKeyRange })
  })

  test('other tabs wait once for a tab that sleeps with the lock, not again for each piece of work', async () => {
    const sleeper = await asleep()
    const awake = inTab()
    const first = awake.exclusively('drain', 60_000, async () => undefined)
    loseFirstPatience()
    await first
    for (let nth = 0; nth < 5; nth += 1) await awake.exclusively('drain', 60_000, async () => undefined)
    sleeper.wake()
    expect(await sleeper.done).toBe('done after all')
  })

  test('others wait for the work of a tab that took the lock from a sleeping tab', async () => {
    await asleep()
    const told: string[] = []
    const done = (tab: string) => async () => {
      told.push(`${tab} begins`)
      await new Promise((resolve) => setTimeout(resolve, 3))
      told.push(`${tab} ends`)
    }
    const all = ['first', 'second', 'third'].map((tab) => inTab().exclusively('drain', 60_000, done(tab)))
    loseFirstPatience()
    await Promise.all(all)
    expect(told).toEqual(['first begins', 'first ends', 'second begins', 'second ends', 'third begins', 'third ends'])
  })

  test('work that fails is not repeated, and its lock is released', async () => {
    let begun = 0
    const tab = inTab()
    const failing = tab.exclusively('drain', 60_000, async () => {
      begun += 1
      throw new Error('failed')
    })
    await expect(failing).rejects.toThrow('failed')
    await tab.exclusively('drain', 60_000, async () => undefined)
    expect(begun).toBe(1)
  })
})

describe('a browser without Web Locks', () => {
  let tablet: FakeTablet
  let hot: HotDatabase
  const inTab = (): Exclusion => createExclusion({ ...tablet.environment(), locks: null }, hot)

  beforeEach(async () => {
    tablet = new FakeTablet(new FakeClinic().answer, { haste: 1000 })
    hot = new HotDatabase('leases', { indexedDB: new IDBFactory(), IDBKeyRange })
    await hot.open()
  })
  afterEach(() => hot.close())

  test('two tabs never do the same work at once', async () => {
    let inside = 0
    let most = 0
    const work = async () => {
      inside += 1
      most = Math.max(most, inside)
      await new Promise((resolve) => setTimeout(resolve, 3))
      inside -= 1
    }
    const [first, second] = [inTab(), inTab()]
    await Promise.all([1, 2, 3].flatMap(() => [first.exclusively('drain', 60_000, work), second.exclusively('drain', 60_000, work)]))
    expect(most).toBe(1)
  })

  test('a tab that was killed with the lease does not block others for ever', async () => {
    await hot.facts.put({ key: 'lease:drain', value: { holder: 'a tab that was killed', until: tablet.now() + 20_000 } })
    let done = false
    await inTab().exclusively('drain', 60_000, async () => void (done = true))
    expect(done).toBe(true)
  })

  test('a lease from a clock that was years ahead does not count', async () => {
    await hot.facts.put({ key: 'lease:drain', value: { holder: 'someone', until: tablet.now() + 10 ** 11 } })
    await inTab().exclusively('drain', 10 ** 12, async () => undefined)
  })

  test('work that fails releases the lease', async () => {
    const tab = inTab()
    await expect(tab.exclusively('drain', 60_000, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await hot.facts.get('lease:drain')).toBeUndefined()
  })

  test('two tabs drain one outbox: every scan arrives once', async () => {
    const clinic = new FakeClinic()
    // A lease ends after 75 seconds of the tablet's time, which a busy machine must not use up.
    const device = new FakeTablet(clinic.answer, { haste: 5 })
    device.network.online = false
    const [first, second] = [await device.open({ locks: null }), await device.open({ locks: null })]
    await first.session.signIn(person('ben'))
    const sheet = '0199d0f0-0000-7000-8000-000000000001'
    for (let nth = 0; nth < 8; nth += 1) {
      const body = { id_count_sheet: sheet, raw_code: `${nth}`, id_inventory: null, via: 'scanner' as const, previous_scan: null }
      await first.outbox.record('count.scan', `count:${sheet}`, body, { title: 'Scan' })
    }
    device.network.online = true
    await Promise.all([first.drain(), second.drain()])
    await until('everything was sent', async () => (await first.hot.outbox.count()) === 0)
    expect(clinic.batches.flat().map((command) => command.body['raw_code'])).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
    await device.close()
  })
})
