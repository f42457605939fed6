import { describe, expect, test } from 'vitest'
import { planRound, roundMs, skies } from '#tests/faults/plan.ts'

const plans = Array.from({ length: 200 }, (_, number) => planRound(`plan ${number}`))

describe('A plan', () => {
  test('is the same for the same seed, and differs for another seed', () => {
    expect(planRound('plan 7')).toEqual(plans[7])
    expect(new Set(plans.map((plan) => JSON.stringify({ ...plan, seed: '' }))).size).toBe(plans.length)
  })

  test('seats two different people, and kills both tablets and the server within its time', () => {
    for (const { tablets, server } of plans) {
      expect(tablets[0].person).not.toBe(tablets[1].person)
      for (const kills of [tablets[0].kills, tablets[1].kills, server]) {
        expect(kills.length).toBeGreaterThan(0)
        for (const { at } of kills) expect(at).toBeLessThanOrEqual(roundMs)
      }
    }
  })

  test('contains every possible event', () => {
    const tablets = plans.flatMap((plan) => plan.tablets)
    expect(new Set(tablets.flatMap(({ weather }) => weather.map(({ sky }) => sky)))).toEqual(new Set(skies))
    expect(new Set(tablets.flatMap(({ hands }) => hands.flat().map(({ kind }) => kind)))).toEqual(
      new Set(['scan', 'stray', 'undo', 'note', 'recount', 'punch', 'close-window', 'hand-over', 'rest']),
    )
    expect(new Set(tablets.flatMap(({ kills }) => kills.map(({ on }) => on)))).toEqual(new Set(['moment', 'sending', 'answered']))
    expect(plans.some(({ server }) => server.some(({ whileStarting }) => whileStarting !== null))).toBe(true)
  })
})
