import * as v from 'valibot'
import { requiredText } from '#contract/core/primitives.ts'
import { clockForm } from '#contract/people/session.ts'
import { instantOfLocal } from '#contract/people/time-clock.ts'

/** The form of a signed-in user. Their name is known, so it asks only for the password. */
export const passwordForm = v.object({ password: clockForm.entries.password })

/** The reason, which every change of someone's time needs. */
export const reason = requiredText(500, 'Enter a reason')

export const reasonForm = v.object({ reason })

/** The form of a correction. Its time is a date-and-time field in the store's time zone. */
export function correctionForm(timeZone: string, now: number) {
  return v.object({
    direction: v.picklist(['in', 'out']),
    at: v.pipe(
      v.string(),
      v.check((local) => !Number.isNaN(instantOfLocal(local, timeZone)), 'Enter a date and time'),
      v.check((local) => !(instantOfLocal(local, timeZone) > now), 'The time can’t be in the future'),
    ),
    reason,
  })
}
