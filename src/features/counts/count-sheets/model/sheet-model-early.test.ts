import { afterEach, describe, expect, test, vi } from 'vitest'
import { eastStore, frameOf } from '#tests/support/fake-count-device.ts'
import { eventually } from '#tests/support/eventually.ts'
import { closeCounts, frames, openCount } from '#tests/support/open-count.ts'

afterEach(closeCounts)

describe('a sheet that is opened before the chain’s frames are read', () => {
  function late() {
    let come = () => {}
    let fail: (error: Error) => void = () => {}
    const framesRead = new Promise<void>((resolve, reject) => {
      come = resolve
      fail = reject
    })
    return { framesRead, come, fail }
  }

  test('shows the expected frames, and a scan waits for its frame', async () => {
    const { framesRead, come } = late()
    const { device, model, told, state } = await openCount({ framesRead })
    expect(state().status).toBe('ready')
    expect(model.ledger.toFindTotal).toBe(200)
    const scan = model.scan('LG100001')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(told).toEqual([])
    come()
    await scan
    expect(told).toEqual(['counted'])
    expect((await device.hot.outbox.toArray()).map(({ body }) => body['id_inventory'])).toEqual([1])
  })

  test('reads its unsent scans again when the frames come', async () => {
    const elsewhere = frameOf(900, { store_id: eastStore })
    const first = await openCount({ frames: [...frames, elsewhere] })
    await first.model.scan(elsewhere.sku)
    const finding = () => again.model.ledger.scans.log.at(0)?.finding
    first.model.close()
    first.device.hot.close()
    const { framesRead, come } = late()
    const again = await openCount({ factory: first.device.factory, frames: [...frames, elsewhere], framesRead })
    expect(finding()).toBe('unknown')
    come()
    await eventually(() => expect(finding()).toBe('set-aside'))
  })

  test('records a scan when the frames cannot be read, and says that something is wrong', async () => {
    const { framesRead, fail } = late()
    const { device, model, state } = await openCount({ framesRead })
    const scan = model.scan('LG100001')
    fail(new Error('The disk does not answer'))
    await scan
    expect((await device.hot.outbox.toArray()).map(({ body }) => body['raw_code'])).toEqual(['LG100001'])
    expect(state().behind).toBe('The disk does not answer')
  })

  test('records a scan when the disk never answers', async () => {
    const { framesRead } = late()
    const { device, model, told } = await openCount({ framesRead })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const scan = model.scan('LG100001')
      await vi.advanceTimersByTimeAsync(4900)
      expect(told).toEqual([])
      await vi.advanceTimersByTimeAsync(200)
      await scan
    } finally {
      vi.useRealTimers()
    }
    expect(told).toHaveLength(1)
    expect((await device.hot.outbox.toArray()).map(({ body }) => body['raw_code'])).toEqual(['LG100001'])
  })
})
