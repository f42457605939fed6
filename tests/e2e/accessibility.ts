import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { phoneView, tabletView } from '#tests/support/browser.ts'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The least size of what can be pressed, px. */
const least = 48

/** Violations in words that name the rule, the element and what is wrong with it. */
async function violations(page: Page, theme: 'dark' | 'light', only: RunOptions['runOnly']): Promise<string[]> {
  // From the top: on a scrolled page, a button half under the bar would count as too small.
  await page.evaluate((worn) => {
    document.documentElement.dataset['theme'] = worn
    scrollTo(0, 0)
  }, theme)
  // What is still fading in has other colors for a moment.
  await page.locator('[data-transition]').first().waitFor({ state: 'detached' })
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)))
  const { violations: found } = await runAxe(page, { runOnly: only, resultTypes: ['violations'] })
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${theme}, ${id}: ${node.html.slice(0, 200)} (${node.any.concat(node.all, node.none)[0]?.message ?? ''})`),
  )
}

/** Puts the checker into a page once. It looks into no frame, so it needs no page of its own to collect what several found. */
async function runAxe(page: Page, options: RunOptions): Promise<Pick<AxeResults, 'violations'>> {
  if (page.frames().length > 1) throw new Error('The checker does not look into frames')
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return await page.evaluate(async (how) => {
    const checker = Reflect.get(window, 'axe') as typeof axe
    const { violations: found } = await checker.run(document, how)
    return { violations: found }
  }, options)
}

/** Fails with everything that a user could stumble over on what is open now. A theme changes colors and nothing else. */
export async function expectAccessible(page: Page, where = ''): Promise<void> {
  const found = [
    ...(await violations(page, 'dark', rules)),
    ...(await violations(page, 'light', ['color-contrast'])),
    ...(await tooSmall(page)).map((what) => `too small: ${what}`),
  ]
  const wider = await overflow(page)
  if (wider !== 0) found.push(`${wider} px wider than the screen`)
  // As the message, which is shown whole: a list within an object is cut short where failures are summed up.
  expect(found.length, [where, ...found].join('\n')).toBe(0)
}

/** The same on a phone and on a tablet. What is open stays open: the window only gets another size. The tablet's is the last. */
export async function expectAccessibleAtEveryWidth(page: Page): Promise<void> {
  for (const [width, view] of Object.entries({ phone: phoneView, tablet: tabletView })) {
    await page.setViewportSize(view)
    await expectAccessible(page, `On a ${width}`)
  }
}

/**
 * Returns the elements in which one of these names is not isolated: a name can turn the direction of its line, and may hold marks
 * that do. An option of a list is a line of its own.
 */
export function unisolatedNames(page: Page, names: readonly string[]): Promise<string[]> {
  return page.evaluate((names) => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? ''
      const isAlone = node.parentElement?.closest('bdi, option, script, textarea') !== null
      if (!isAlone && names.some((name) => text.includes(name))) found.push(node.parentElement?.outerHTML.slice(0, 200) ?? text)
    }
    return found
  }, names)
}

/** Returns what can be pressed and is smaller than a finger, by name and size. A link within a sentence may be, as in the guideline. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const selector = 'a[href], button, select, textarea, summary, input:not([type=hidden]), [role=tab], [role=menuitem], [role=switch]'
    const shown = (element: Element) => {
      const style = getComputedStyle(element)
      const box = element.getBoundingClientRect()
      const isVisible = style.visibility === 'visible' && style.display !== 'none' && box.width > 1 && box.height > 1
      return isVisible && !element.closest('[inert], [aria-hidden=true]')
    }
    return [...document.querySelectorAll(selector)].filter(shown).flatMap((element) => {
      // A choice is pressed by its whole line.
      const target = element.matches('input[type=checkbox], input[type=radio], [role=switch]')
        ? (element.closest('label') ?? element)
        : element
      const inText = element.matches('p a, p a *') && getComputedStyle(element).display === 'inline'
      let { width, height } = target.getBoundingClientRect()
      // A card whose link covers all of it.
      const cover = getComputedStyle(element, '::after')
      if (cover.position === 'absolute' && cover.content !== 'none') {
        width = Math.max(width, Number.parseFloat(cover.width))
        height = Math.max(height, Number.parseFloat(cover.height))
      }
      const isSkipLink = element.getAttribute('href') === '#content'
      if (inText || isSkipLink || (width >= least - 0.5 && height >= least - 0.5)) return []
      const name = element.getAttribute('aria-label') ?? (element.textContent || element.getAttribute('name') || element.outerHTML).trim()
      return [`${element.tagName.toLowerCase()} “${name.slice(0, 80)}”: ${Math.round(width)} × ${Math.round(height)}`]
    })
  }, least)
}

/** Returns by how much the page is wider than the screen, px: no user has to push it sideways to read it. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
