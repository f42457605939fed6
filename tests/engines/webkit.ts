import fs from 'node:fs'
import path from 'node:path'
import { printedBy, start, type Engine, type Started } from '#tests/engines/engine.ts'
import { timeouts, webDriverWindow, type WebDriverCommand } from '#tests/engines/webdriver-window.ts'
import { freePort } from '#tests/support/free-port.ts'

const driver = '/usr/bin/WebKitWebDriver'
const screen = '/usr/bin/Xvfb'
// Use Debian's own Python: another one in the path does not know Debian's packages.
const python = '/usr/bin/python3'
const browser = path.join(import.meta.dirname, 'webkit-browser.py')

/** The paths of WebDriver's commands below a session. */
const places: Record<WebDriverCommand, string> = { navigate: '/url', refresh: '/refresh', execute: '/execute/async', actions: '/actions' }

export const webkit: Engine = {
  name: 'WebKitGTK',
  find() {
    const version = printedBy(python, [browser, '--version'])
    const missing = [
      ...(version === null ? ['python3-gi', 'gir1.2-webkit2-4.1'] : []),
      ...(fs.existsSync(driver) ? [] : ['webkit2gtk-driver']),
      ...(fs.existsSync(screen) ? [] : ['xvfb']),
    ]
    return version === null || missing.length > 0 ? { missing: missing.join(' ') } : { version }
  },
  async open(profile) {
    const display = await openDisplay()
    const port = await freePort()
    // Each browser has its own driver, which ends when its browser dies.
    const driving = start(driver, [`--port=${port}`], {
      stdio: 'ignore',
      env: { ...process.env, HOME: profile, DISPLAY: display.name, GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1' },
    })
    async function kill() {
      await driving.kill()
      await display.xvfb.kill()
    }

    async function ask(place: string, body: Record<string, unknown>): Promise<unknown> {
      const answer = await fetch(`http://127.0.0.1:${port}${place}`, { method: 'POST', body: JSON.stringify(body) })
      const { value } = (await answer.json()) as { value: unknown }
      if (answer.ok) return value
      const { error, message } = value as { error: string; message: string }
      throw new Error(`${error}: ${message}`)
    }

    const options = { binary: python, args: [browser, profile] }
    const session = await waitUntilReady(port)
      .then(() => ask('/session', { capabilities: { alwaysMatch: { timeouts, 'webkitgtk:browserOptions': options } } }))
      .catch(async (error: unknown) => {
        await kill()
        throw error
      })
    const { sessionId } = session as { sessionId: string }
    const window = webDriverWindow((command, parameters) => ask(`/session/${sessionId}${places[command]}`, parameters))
    return {
      ...window,
      scan: (code) => window.evaluate(pullTrigger, code),
      kill,
      close: kill,
    }
  },
}

/** Runs in the page. The browser presses the keys. */
function pullTrigger(code: string): void {
  const { webkit } = window as unknown as { webkit: { messageHandlers: { scanner: { postMessage(code: string): void } } } }
  webkit.messageHandlers.scanner.postMessage(code)
}

/** Starts a virtual screen for a machine without one. */
async function openDisplay(): Promise<{ name: string; xvfb: Started }> {
  const xvfb = start(screen, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const number = await new Promise<string>((resolve, reject) => {
    xvfb.child.stdio[3]?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
    xvfb.child.once('exit', () => reject(new Error('Xvfb ended while it started')))
  })
  return { name: `:${number}`, xvfb }
}

async function waitUntilReady(port: number): Promise<void> {
  const deadline = Date.now() + 30_000
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/status`)
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
