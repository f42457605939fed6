import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The least size of what can be pressed, px. */
const least = 48

/** Violations in words that name the rule, the element and what is wrong with it. */
async function violations(page: Page, theme: 'dark' | 'light', only: string | null = null): Promise<string[]> {
  // From its top: whatever lies half under the bar of a scrolled page would count as too small.
  await page.evaluate((worn) => {
    document.documentElement.dataset['theme'] = worn
    scrollTo(0, 0)
  }, theme)
  // What is still fading in has other colours for a moment.
  await page.locator('[data-transition]').first().waitFor({ state: 'detached' })
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)))
  const axe = new AxeBuilder({ page })
  const { violations: found } = await (only === null ? axe.withTags(rules) : axe.withRules(only)).analyze()
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${theme}, ${id}: ${node.html.slice(0, 200)} (${node.any.concat(node.all, node.none)[0]?.message ?? ''})`),
  )
}

/** Everything that a person could stumble over on what is open now. A theme changes colours and nothing else. */
export async function expectOpenToAll(page: Page): Promise<void> {
  const found = [
    ...(await violations(page, 'dark')),
    ...(await violations(page, 'light', 'color-contrast')),
    ...(await tooSmall(page)).map((what) => `too small: ${what}`),
  ]
  const wider = await overflow(page)
  if (wider !== 0) found.push(`${wider} px wider than the screen`)
  // As the message, which is shown whole: a list within an object is cut short where failures are summed up.
  expect(found.length, found.join('\n')).toBe(0)
}

/**
 * Where the name of a person stands in a line with something else and could turn it round, or be turned by it: names are written in both
 * directions, and may hold marks that change it. A choice of a list of the browser's is a line of its own.
 */
export function namesThatTurn(page: Page, names: readonly string[]): Promise<string[]> {
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

/** Everything that can be pressed and is smaller than a finger, by name and size. Text within a sentence is excepted, as in the guideline. */
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

/** Nothing lies wider than the screen: nobody has to push a page sideways to read it. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
