import { expect, test } from 'vitest'
import { createLockout } from './lockout.ts'

function atClock() {
  const clock = { now: 1_000_000 }
  return { clock, lockout: createLockout(() => clock.now) }
}

test('two wrong passwords do not block, the third blocks for 60 seconds', () => {
  const { lockout } = atClock()
  expect(lockout.fail()).toBe(false)
  expect(lockout.fail()).toBe(false)
  expect(lockout.secondsLeft()).toBe(0)
  expect(lockout.fail()).toBe(true)
  expect(lockout.secondsLeft()).toBe(60)
})

test('the countdown ends after a minute, and the count starts again', () => {
  const { clock, lockout } = atClock()
  lockout.fail()
  lockout.fail()
  lockout.fail()
  clock.now += 59_001
  expect(lockout.secondsLeft()).toBe(1)
  clock.now += 999
  expect(lockout.secondsLeft()).toBe(0)
  expect(lockout.fail()).toBe(false)
  expect(lockout.fail()).toBe(false)
})

test('a success clears the failures before it', () => {
  const { lockout } = atClock()
  lockout.fail()
  lockout.fail()
  lockout.succeed()
  expect(lockout.fail()).toBe(false)
})

test('the server decides how long its block lasts', () => {
  const { clock, lockout } = atClock()
  expect(lockout.obey(36.2)).toBe(37)
  clock.now += 1_500
  expect(lockout.secondsLeft()).toBe(36)
  expect(lockout.obey(null)).toBe(60)
  expect(lockout.obey(0)).toBe(1)
})
