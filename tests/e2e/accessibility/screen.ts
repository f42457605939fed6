import type { Locator } from 'playwright-core'
import type { Stage } from '#tests/e2e/accessibility/stage.ts'
import type { Person } from '#tests/e2e/clinic.ts'

/** Opens a screen. Returns an element that shows when the screen is complete. */
type Show = (stage: Stage) => Promise<Locator>

export type Screen = {
  name: string
  /** The signed-in person, or null. */
  as: Person | null
  open: Show
  /** More views of the screen. Each starts where the view before it ended. */
  states?: { name: string; go: Show }[]
  /** The phone reaches it in another way: a narrow window closes the tablet's view. */
  isOpenedOnPhone?: true
  /** An extra check in every state at every width. */
  also?: (stage: Stage) => Promise<void>
}
