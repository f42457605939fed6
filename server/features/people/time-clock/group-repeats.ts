import { repeatsLimit, type ReviewEntry } from '#contract/people/time-card.ts'
import { signInName } from '#server/domain/people/find-person.ts'

/** This many equal punches stay single: a shift or two of one person with a wrong password is no flood. */
const standAlone = 3

/**
 * Groups unproven punches of one name, direction and day. From a certain number on, the first stands for all, so a
 * flood of them takes one line of the list a day. `entries` keep their order, and the others are left out.
 */
export function groupRepeats(entries: readonly ReviewEntry[]): ReviewEntry[] {
  const groups = new Map<string, ReviewEntry[]>()
  const groupOf = new Map<ReviewEntry, ReviewEntry[]>()
  for (const entry of entries) {
    const key = keyOf(entry)
    if (key === null) continue
    const open = groups.get(key)
    const group = open && open.length <= repeatsLimit ? open : []
    group.push(entry)
    groups.set(key, group)
    groupOf.set(entry, group)
  }
  return entries.flatMap((entry) => {
    const [first, ...others] = groupOf.get(entry) ?? [entry]
    if (others.length < standAlone) return [entry]
    if (first !== entry) return []
    return [{ ...entry, repeats: { ids: others.map(({ id }) => id), last_at: others.at(-1)?.at ?? entry.at } }]
  })
}

function keyOf(entry: ReviewEntry): string | null {
  const reason = entry.reasons.find((each) => each === 'wrong-password' || each === 'unknown-person')
  if (reason === undefined || entry.resolved_at !== null) return null
  return JSON.stringify([reason, entry.id_user, signInName(entry.username), entry.direction, entry.received_at.slice(0, 10)])
}
