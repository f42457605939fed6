import type { UserRow } from '#server/domain/people/find-person.ts'
import { signInName } from '#server/domain/people/find-person.ts'
import type { Place } from '#server/domain/people/known-tablets.ts'

/**
 * The number of wrong attempts that the server allows, and how long it then refuses the next. One table for every door:
 * password, PIN and clock. docs/security.md explains each bound.
 */
export type Limit = {
  /** The counted subject. The database keeps it as a keyed hash. */
  subject: string
  failures: number
  windowSeconds: number
  /** The first block. Each later one is twice as long, up to `longestSeconds`. */
  blockSeconds: number
  longestSeconds: number
  /** A block lasts at least to the end of the window, so that one window has no more than `failures` tries. */
  isStrict?: true
  /** The alert that managers get when a block begins. */
  event?: { kind: 'pins-blocked-tablet' | 'pins-blocked'; device_id: string }
}

/** The limits of one attempt. A success clears the failures of `own` and no others. */
export type Attempt = {
  limits: readonly Limit[]
  own: string | null
  /** The account and the door for the security log. Absent when a failure is not about signing in. */
  logged?: { about: UserRow | null; detail: string }
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** A place that asks for a password. Each has its own count: mistakes at the clock keep nobody from signing in. */
export type Door = 'sign-in' | 'clock' | 'clock-queue' | 'new-pin'

/** An attempt at the password of one person. `person` is null for an unknown name, which is counted in the same way. */
export function passwordAttempt(door: Door, username: string, person: UserRow | null, place: Place): Attempt {
  const account = person ? `account:${person.id_user}` : `name:${signInName(username)}`
  const logged = { about: person, detail: door === 'sign-in' ? 'password' : door }
  const usual = { failures: 3, windowSeconds: 15 * minute, blockSeconds: minute }
  if (place.kind === 'tablet') {
    const own = `${door} ${account} tablet:${place.device_id}`
    const ofTablet = { subject: `${door} tablet:${place.device_id}`, failures: 60, windowSeconds: hour, blockSeconds: 15 * minute }
    return {
      own,
      logged,
      limits: [
        { ...usual, subject: own, longestSeconds: 15 * minute },
        { ...ofTablet, longestSeconds: 4 * hour },
      ],
    }
  }
  const own = `${door} ${account} address:${place.address}`
  return {
    own,
    logged,
    limits: [
      { ...usual, subject: own, longestSeconds: hour },
      { subject: `${door} ${account} elsewhere`, failures: 30, windowSeconds: hour, blockSeconds: 15 * minute, longestSeconds: 4 * hour },
      { subject: `${door} address:${place.address}`, failures: 30, windowSeconds: hour, blockSeconds: minute, longestSeconds: 4 * hour },
    ],
  }
}

/** An attempt at a PIN, which names nobody. A success proves one PIN and clears no guess at the others. */
export function pinAttempt(deviceId: string): Attempt {
  return {
    own: null,
    logged: { about: null, detail: 'pin' },
    limits: [
      {
        subject: `pins tablet:${deviceId}`,
        failures: 10,
        windowSeconds: hour,
        blockSeconds: 15 * minute,
        longestSeconds: day,
        isStrict: true,
        event: { kind: 'pins-blocked-tablet', device_id: deviceId },
      },
      {
        subject: 'pins',
        failures: 30,
        windowSeconds: hour,
        blockSeconds: 15 * minute,
        longestSeconds: hour,
        event: { kind: 'pins-blocked', device_id: deviceId },
      },
    ],
  }
}

/** Queued punches with an unproven password. A manager reads each of them, so the server limits their number. */
export function unprovenPunches(username: string, person: UserRow | null, place: Place): Attempt {
  const account = person ? `account:${person.id_user}` : `name:${signInName(username)}`
  const quota = (subject: string, failures: number, windowSeconds = hour): Limit => ({
    subject: `unproven ${subject}`,
    failures,
    windowSeconds,
    blockSeconds: 0,
    longestSeconds: 0,
    isStrict: true,
  })
  if (place.kind === 'tablet') {
    return { own: null, limits: [quota(`${account} tablet:${place.device_id}`, 10), quota(`tablet:${place.device_id}`, 30)] }
  }
  return {
    own: null,
    limits: [
      quota(`${account} address:${place.address}`, 3),
      quota(`address:${place.address}`, 10),
      quota('elsewhere', 20),
      quota('elsewhere in a day', 60, day),
    ],
  }
}
