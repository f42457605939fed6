import { until } from '#tests/e2e/clinic.ts'
import type { EngineWindow } from '#tests/engines/engine.ts'

type Role = 'button' | 'link' | 'tab' | 'field'

/** The longest wait for a screen, ms. */
const patienceMs = 60_000

/** An element counts as still after so many looks in the same place, a tenth of a second apart. */
const looksUntilStill = 4

/** A window as a user sees it: the test finds elements by their text. */
export class Screen {
  readonly window: EngineWindow

  constructor(window: EngineWindow) {
    this.window = window
  }

  /** Waits until the element is still and uncovered, then presses it. */
  async press(role: Role, name: RegExp): Promise<void> {
    let before = ''
    let stillFor = 0
    const place = await until(
      async () => {
        const seen = await this.window.evaluate(placeOf, { role, source: name.source })
        const now = JSON.stringify(seen)
        stillFor = now === before ? stillFor + 1 : 0
        before = now
        return stillFor >= looksUntilStill ? seen : null
      },
      (seen) => seen !== null,
      `No ${role} ${String(name)} could be pressed`,
      patienceMs,
    )
    if (place) await this.window.press(place.x, place.y)
  }

  async fill(label: RegExp, text: string): Promise<void> {
    await this.press('field', label)
    await this.window.type(text)
  }

  /** Waits until the text of the region, or of the whole page, matches. */
  async reads(words: RegExp, region = ''): Promise<void> {
    await until(
      () => this.window.evaluate(textOf, region),
      (seen) => words.test(seen),
      `${region || 'The page'} never said ${String(words)}`,
      patienceMs,
    )
  }

  /** Returns the text of the region with this name. */
  text(region = ''): Promise<string> {
    return this.window.evaluate(textOf, region)
  }

  /** Waits until the path matches, and returns it. */
  async isAt(path: RegExp): Promise<string> {
    return await until(
      () => this.window.evaluate(() => location.pathname, null),
      (seen) => path.test(seen),
      `The address never was ${String(path)}`,
      patienceMs,
    )
  }
}

/** Runs in the page. Returns the text of the region, or an empty text without one. */
function textOf(region: string): string {
  const shown = region === '' ? document.body : document.querySelector<HTMLElement>(`[aria-label="${region}"]`)
  return shown?.innerText ?? ''
}

/**
 * Runs in the page. Returns the center of the first element of this role and name, or null when something covers it.
 */
function placeOf({ role, source }: { role: Role; source: string }): { x: number; y: number } | null {
  const selectors = {
    button: 'button, [role=button]',
    link: 'a[href]',
    tab: '[role=tab]',
    field: 'input, textarea',
  }
  const name = new RegExp(source)
  for (const element of document.querySelectorAll<HTMLElement>(selectors[role])) {
    const label = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.labels?.[0]?.innerText : null
    if (!name.test((element.getAttribute('aria-label') ?? label ?? element.innerText).trim())) continue
    element.scrollIntoView({ block: 'nearest' })
    const { left, top, width, height } = element.getBoundingClientRect()
    const place = { x: left + width / 2, y: top + height / 2 }
    const topmost = document.elementFromPoint(place.x, place.y)
    const isDisabled = element.matches(':disabled, [aria-disabled=true]')
    if (topmost !== null && !isDisabled && (element.contains(topmost) || topmost.contains(element))) return place
  }
  return null
}
