import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { phoneView, tabletView } from '#tests/support/browser.ts'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The smallest allowed width and height of a control, px: for a finger, and for a mouse. */
const least = { comfortable: 48, compact: 32 }

/** Returns the violations as text: the rule, the element and its problem. */
async function violations(page: Page, theme: 'dark' | 'light', only: RunOptions['runOnly']): Promise<string[]> {
  // Scroll to the top: on a scrolled page, a button half under the bar would count as too small.
  await page.evaluate((worn) => {
    document.documentElement.dataset['theme'] = worn
    scrollTo(0, 0)
    // Two frames: the page has heard of a new window size, and shows what it renders at that size.
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }, theme)
  // While a transition fades in, its colors differ.
  await page.locator('[data-transition]').first().waitFor({ state: 'detached' })
  // An animation that follows the scroll position never finishes.
  await page.evaluate(() =>
    Promise.allSettled(
      document.getAnimations().flatMap((animation) => (animation.timeline instanceof DocumentTimeline ? [animation.finished] : [])),
    ),
  )
  const { violations: found } = await runAxe(page, { runOnly: only, resultTypes: ['violations'] })
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${theme}, ${id}: ${node.html.slice(0, 200)} (${node.any.concat(node.all, node.none)[0]?.message ?? ''})`),
  )
}

/** Loads the checker into a page once. It skips frames, so it needs no second page to merge their results. */
async function runAxe(page: Page, options: RunOptions): Promise<Pick<AxeResults, 'violations'>> {
  if (page.frames().length > 1) throw new Error('The checker does not look into frames')
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return await page.evaluate(async (how) => {
    const checker = Reflect.get(window, 'axe') as typeof axe
    const { violations: found } = await checker.run(document, how)
    return { violations: found }
  }, options)
}

/**
 * Fails with every accessibility problem of the current view. A theme only changes colors, so the light theme checks
 * contrast alone.
 */
export async function expectAccessible(page: Page, where = ''): Promise<void> {
  const found = [
    ...(await violations(page, 'dark', rules)),
    ...(await violations(page, 'light', ['color-contrast'])),
    ...(await tooSmall(page, least.comfortable)).map((what) => `too small: ${what}`),
    ...(await tooSmallForAMouse(page)).map((what) => `too small for a mouse: ${what}`),
  ]
  const wider = await overflow(page)
  if (wider !== 0) found.push(`${wider} px wider than the screen`)
  // The message names the problems: the summary of a run shows it in full, but cuts a list inside an object short.
  expect(found.length, [where, ...found].join('\n')).toBe(0)
}

/**
 * Checks the view on a phone, then on a tablet. Only the window size changes, so open dialogs stay open. The tablet
 * size remains.
 */
export async function expectAccessibleAtEveryWidth(page: Page): Promise<void> {
  for (const [width, view] of Object.entries({ phone: phoneView, tablet: tabletView })) {
    await page.setViewportSize(view)
    await expectAccessible(page, `On a ${width}`)
  }
}

/**
 * Returns the elements that hold one of these names without isolating it. A name, or a mark in it, can change the text
 * direction of its line. An option of a list is a line of its own.
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

/** Returns the controls that are smaller than the least size of the compact density, which a mouse gets. */
async function tooSmallForAMouse(page: Page): Promise<string[]> {
  const show = (density: keyof typeof least) =>
    page.evaluate((name) => {
      document.documentElement.dataset['density'] = name
    }, density)
  await show('compact')
  const found = await tooSmall(page, least.compact)
  await show('comfortable')
  return found
}

/**
 * Returns the controls that are smaller than a finger or a mouse needs, with name and size. The guideline allows a small link within a
 * sentence.
 */
function tooSmall(page: Page, leastPx: number): Promise<string[]> {
  return page.evaluate((least) => {
    const selector = 'a[href], button, select, textarea, summary, input:not([type=hidden]), [role=tab], [role=menuitem], [role=switch]'
    const shown = (element: Element) => {
      const style = getComputedStyle(element)
      const box = element.getBoundingClientRect()
      const isVisible = style.visibility === 'visible' && style.display !== 'none' && box.width > 1 && box.height > 1
      return isVisible && !element.closest('[inert], [aria-hidden=true]')
    }
    return [...document.querySelectorAll(selector)].filter(shown).flatMap((element) => {
      // The whole label of a checkbox, radio button or switch can be pressed.
      const target = element.matches('input[type=checkbox], input[type=radio], [role=switch]')
        ? (element.closest('label') ?? element)
        : element
      const inText = element.matches('p a, p a *') && getComputedStyle(element).display === 'inline'
      let { width, height } = target.getBoundingClientRect()
      // The link of a card covers the whole card.
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
  }, leastPx)
}

/** Returns how much wider the page is than the screen, px. Nobody should have to scroll sideways. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
