import { describe, expect, it } from 'vitest'
import { Turns } from '#server/platform/http/turns.ts'

const there = () => new AbortController().signal

/** Work that ends on command. */
function job() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const begun: string[] = []
  return { begun, end, work: (name: string) => async () => (begun.push(name), await ended) }
}

describe('turns', () => {
  it('let so many in at once, and the others in order of arrival', async () => {
    const turns = new Turns({ places: 2 })
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const all = ['a', 'b', 'c', 'd'].map((name) =>
      turns.take(there(), async () => {
        begun.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
      }),
    )
    await Promise.resolve()
    expect(begun).toEqual(['a', 'b'])
    ends.get('b')!()
    await all[1]
    expect(begun).toEqual(['a', 'b', 'c'])
    ends.get('a')!()
    ends.get('c')!()
    await all[2]
    ends.get('d')!()
    await Promise.all(all)
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
  })

  it('pass the place on when the work fails', async () => {
    const turns = new Turns({ places: 1 })
    await expect(turns.take(there(), () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await turns.take(there(), () => Promise.resolve('done'))).toBe('done')
  })

  it('send a caller away when there is no room, with a time to come back', async () => {
    const turns = new Turns({ places: 1, mostWaiting: 1 })
    const { end, work, begun } = job()
    const first = turns.take(there(), work('first'))
    const second = turns.take(there(), work('second'))
    await expect(turns.take(there(), work('third'))).rejects.toMatchObject({ code: 'request-too-frequent', status: 429 })
    expect(() => turns.assertRoom()).toThrow(expect.objectContaining({ retry_after_s: expect.any(Number) }))
    const begunBefore = turns.take(there(), work('fourth'), true)
    end()
    await Promise.all([first, second, begunBefore])
    expect(begun).toEqual(['first', 'second', 'fourth'])
    expect(() => turns.assertRoom()).not.toThrow()
  })

  it('make way: while others wait in the first queue, one at a time runs in the second', async () => {
    const first = new Turns({ places: 1 })
    const second = new Turns({ places: 3, yieldsTo: first })
    const work = job()
    const light = [job(), job(), job()]
    const firsts = [first.take(there(), work.work('a')), first.take(there(), work.work('b'))]
    const seconds = light.map((one, place) => second.take(there(), one.work(String(place))))
    await Promise.resolve()
    expect(light.flatMap(({ begun }) => begun)).toEqual(['0'])
    work.end()
    await Promise.all(firsts)
    light[0]!.end()
    await seconds[0]
    // The first queue is empty: all places are open again.
    expect(light.flatMap(({ begun }) => begun)).toEqual(['0', '1', '2'])
    for (const one of light) one.end()
    await Promise.all(seconds)
  })

  it('do nothing for a caller who has gone', async () => {
    const turns = new Turns({ places: 1 })
    const { end, work, begun } = job()
    const first = turns.take(there(), work('first'))
    const caller = new AbortController()
    const gone = turns.take(caller.signal, work('gone'))
    const last = turns.take(there(), work('last'))
    caller.abort()
    end()
    await expect(gone).rejects.toMatchObject({ status: 429 })
    await Promise.all([first, last])
    expect(begun).toEqual(['first', 'last'])
  })
})
