import { countScreens } from '#tests/e2e/accessibility/count-screens.ts'
import { patientScreens } from '#tests/e2e/accessibility/patient-screens.ts'
import { pcpScreens } from '#tests/e2e/accessibility/pcp-screens.ts'
import { receivingScreens } from '#tests/e2e/accessibility/receiving-screens.ts'
import { returnScreens } from '#tests/e2e/accessibility/return-screens.ts'
import type { Screen } from '#tests/e2e/accessibility/screen.ts'
import { shellScreens } from '#tests/e2e/accessibility/shell-screens.ts'
import { stockScreens } from '#tests/e2e/accessibility/stock-screens.ts'

/** Every screen that the tests check at each width and in both themes. Two test files split them. */
export const screens: Screen[] = [
  ...shellScreens,
  ...countScreens,
  ...patientScreens,
  ...pcpScreens,
  ...receivingScreens,
  ...returnScreens,
  ...stockScreens,
]
