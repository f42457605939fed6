import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HotDatabase } from '#src/db/hot.ts'
import { createExclusion, type Exclusion } from '#src/sync/locks.ts'
import { FakeClinic, person } from '#tests/support/fake-clinic.ts'
import { FakeTablet, until } from '#tests/support/test-device.ts'

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

  test('a tab that was killed with the lease in its hand holds nobody up for ever', async () => {
    await hot.facts.put({ key: 'lease:drain', value: { holder: 'a tab that was killed', until: tablet.now() + 20_000 } })
    let done = false
    await inTab().exclusively('drain', 60_000, async () => void (done = true))
    expect(done).toBe(true)
  })

  test('a lease of a clock that was years ahead is none', async () => {
    await hot.facts.put({ key: 'lease:drain', value: { holder: 'someone', until: tablet.now() + 10 ** 11 } })
    await inTab().exclusively('drain', 10 ** 12, async () => undefined)
  })

  test('work that fails lets go of the lease', async () => {
    const tab = inTab()
    await expect(tab.exclusively('drain', 60_000, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await hot.facts.get('lease:drain')).toBeUndefined()
  })

  test('two tabs drain one outbox: every scan is brought once', async () => {
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
