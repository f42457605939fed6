import { screens } from '#tests/e2e/accessibility/screens.ts'
import { walkScreens } from '#tests/e2e/accessibility/walk-screens.ts'

walkScreens(screens.filter((_, index) => index % 2 === 1))
