import { afterAll, beforeAll, describe, test } from 'vitest'
import { expectAccessible } from '#tests/e2e/accessibility.ts'
import type { Screen } from '#tests/e2e/accessibility/screen.ts'
import { openStage, type Stage } from '#tests/e2e/accessibility/stage.ts'
import { signIn, type Person } from '#tests/e2e/clinic.ts'
import { phoneView, tabletView } from '#tests/support/browser.ts'

const views = [
  { name: 'tablet', size: tabletView },
  { name: 'phone', size: phoneView },
]

/**
 * Defines one test for each screen, on one server and in one browser. A test reaches a state once and checks it at
 * every width, in both themes.
 */
export function walkScreens(screens: readonly Screen[]): void {
  let stage: Stage
  let signedIn: Person | null = null
  beforeAll(async () => void (stage = await openStage()))
  afterAll(() => stage?.close())

  async function judge({ name, open, states = [], also }: Screen, widths: typeof views) {
    for (const state of [{ name: 'as it opens', go: open }, ...states]) {
      await stage.page.setViewportSize(widths[0]!.size)
      const shown = await state.go(stage)
      for (const { name: width, size } of widths) {
        await stage.page.setViewportSize(size)
        await shown.waitFor()
        await also?.(stage)
        await expectAccessible(stage.page, `${name}, ${state.name}, on a ${width}`)
      }
    }
  }

  describe('on a tablet and on a phone, in both themes', () => {
    // The tests sign in once: screens without a user come first.
    const ordered = screens.toSorted((a, b) => Number(a.as !== null) - Number(b.as !== null))
    test.each(ordered.map((screen): [string, Screen] => [screen.name, screen]))('%s', async (_name, screen) => {
      if (screen.as !== null && screen.as !== signedIn) {
        await signIn(stage.page, { origin: stage.origin }, screen.as)
        signedIn = screen.as
      }
      if (!screen.isOpenedOnPhone) return await judge(screen, views)
      for (const view of views) await judge(screen, [view])
    })
  })
}
