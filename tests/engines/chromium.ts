import { pageOf } from '#tests/e2e/clinic.ts'
import { scan } from '#tests/e2e/wedge-scanner.ts'
import { printedBy, type Engine } from '#tests/engines/engine.ts'
import { openTablet, systemBrowser } from '#tests/support/browser.ts'

export const chromium: Engine = {
  name: 'Chromium',
  find() {
    const version = printedBy(systemBrowser() ?? '', ['--version'])
    return version === null ? { missing: 'chromium' } : { version: /[\d.]+/.exec(version)?.[0] ?? version }
  },
  async open(profile) {
    const tablet = await openTablet({ profile })
    const page = await pageOf(tablet)
    return {
      async goto(url) {
        await page.goto(url)
      },
      async reload() {
        await page.reload()
      },
      type: (text) => page.keyboard.type(text),
      scan: (code) => scan(page, code),
      press: (x, y) => page.mouse.click(x, y),
      evaluate: (look, argument) => page.evaluate(`Promise.resolve(${JSON.stringify(argument)}).then(${look.toString()})`),
      kill: () => tablet.kill(),
      close: () => tablet.close(),
    }
  },
}
