import type { Locator } from 'playwright-core'
import type { Stage } from '#tests/e2e/accessibility/stage.ts'
import type { Person } from '#tests/e2e/clinic.ts'

/** Brings something onto the screen. Returns what shows once it is whole. */
type Show = (stage: Stage) => Promise<Locator>

export type Screen = {
  name: string
  /** The person who is signed in, or null. */
  as: Person | null
  open: Show
  /** What the user sees after more steps. Each begins where the one before it ended. */
  states?: { name: string; go: Show }[]
  /** The phone reaches it by another way: what is open on the tablet closes when the window gets narrow. */
  isOpenedOnPhone?: true
  /** Asked in every state at every width. */
  also?: (stage: Stage) => Promise<void>
}
