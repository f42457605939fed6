import { afterEach } from 'vitest'
import { openTablets } from '#tests/support/browser.ts'

/** The most of a page's text that an error repeats. */
const longestText = 400

// A run leaves no pictures. The error of a failed browser test says what each open page showed.
afterEach(async ({ task }) => {
  const error = task.result?.errors?.[0]
  if (task.result?.state !== 'fail' || !error) return
  const pages = [...openTablets].flatMap(({ context }) => context.pages())
  const shown = await Promise.all(
    pages.map(async (page) => {
      const text = await page
        .locator('body')
        .innerText({ timeout: 2000 })
        .catch((unreadable: unknown) => `nothing readable (${String(unreadable)})`)
      return `At ${page.url()} the page showed: ${text.replaceAll(/\s+/g, ' ').slice(0, longestText)}`
    }),
  )
  error.stack = [error.stack ?? error.message, ...shown].join('\n')
})
