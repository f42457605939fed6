import type { UserRow } from '#server/domain/people/find-person.ts'
import { signInName } from '#server/domain/people/find-person.ts'
import type { Place } from '#server/domain/people/known-tablets.ts'

/**
 * How many wrong attempts are borne, and for how long the next is refused. One table for every door: password, PIN and clock.
 * docs/security.md explains each bound.
 */
export type Limit = {
  /** What is counted. It is kept as a keyed hash. */
  subject: string
  failures: number
  windowSeconds: number
  /** The first block; each further one is twice as long, up to `longestSeconds`. */
  blockSeconds: number
  longestSeconds: number
  /** A block lasts at least until the window is over, so that no more than `failures` fit into one. */
  isStrict?: true
  /** The alert that managers get when a block begins. */
  event?: { kind: 'pins-blocked-tablet' | 'pins-blocked'; device_id: string }
}

/** The limits of one attempt. A success forgets the slips of `own` and of nothing else. */
export type Attempt = {
  limits: readonly Limit[]
  own: string | null
  /** What the security log says of a failure: the account that it was about, and the door. Absent where a failure is no sign-in. */
  logged?: { about: UserRow | null; detail: string }
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Where a password is typed. Each door has its own count: slips at the clock keep nobody from signing in. */
export type Door = 'sign-in' | 'clock' | 'clock-queue' | 'new-pin'

/** An attempt at the password of one person. `person` is null for a name that nobody has; it is counted in the same way. */
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

/** An attempt at a PIN, which names nobody: a success proves one PIN and forgives no guess at the others. */
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

/** Punches out of a queue whose password nobody could prove. A manager reads each of them, so there must not be many. */
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
