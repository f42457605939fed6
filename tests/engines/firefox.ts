import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { until } from '#tests/e2e/clinic.ts'
import { printedBy, start, type Engine } from '#tests/engines/engine.ts'
import { timeouts, webDriverWindow, type WebDriverCommand } from '#tests/engines/webdriver-window.ts'
import { freePort } from '#tests/support/free-port.ts'

const executable = '/usr/bin/firefox-esr'

/** Settings of a tablet in use: no tours, no questions after a crash, no downloads that nobody asked for. */
const preferences = {
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.sessionstore.resume_from_crash': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.startup.max_resumed_crashes': -1,
}

/** Marionette's names of WebDriver's commands. This sends them to the browser without geckodriver. */
const commands: Record<WebDriverCommand, string> = {
  navigate: 'WebDriver:Navigate',
  refresh: 'WebDriver:Refresh',
  execute: 'WebDriver:ExecuteAsyncScript',
  actions: 'WebDriver:PerformActions',
}

export const firefox: Engine = {
  name: 'Firefox ESR',
  find() {
    const version = printedBy(executable, ['--version'])
    return version === null ? { missing: 'firefox-esr' } : { version: /[\d.]+/.exec(version)?.[0] ?? version }
  },
  async open(profile) {
    const port = await freePort()
    const lines = Object.entries({ ...preferences, 'marionette.port': port }).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
    )
    fs.writeFileSync(path.join(profile, 'user.js'), lines.join(''))
    const browser = start(executable, ['--headless', '--marionette', '--no-remote', '--profile', profile, 'about:blank'], {
      stdio: 'ignore',
      env: { ...process.env, HOME: profile, MOZ_HEADLESS_WIDTH: '1024', MOZ_HEADLESS_HEIGHT: '768' },
    })
    const kill = () => browser.kill()
    const line = await openMarionette(port, () => browser.child.exitCode !== null).catch(async (error: unknown) => {
      await kill()
      throw error
    })
    const window = webDriverWindow(async (command, parameters) => {
      const result = await line.ask(commands[command], parameters)
      return (result as { value?: unknown } | null)?.value
    })
    return {
      ...window,
      // Marionette's own reload bypasses the service worker, like Shift with the reload button.
      async reload() {
        const began = await window.evaluate(() => performance.timeOrigin, null)
        await window.evaluate(() => void setTimeout(() => location.reload(), 0), null)
        await until(
          () => window.evaluate(() => (document.readyState === 'complete' ? performance.timeOrigin : null), null).catch(() => null),
          (seen) => seen !== null && seen !== began,
          'The page was not reloaded',
        )
      },
      kill,
      close: kill,
    }
  },
}

type Marionette = { ask(command: string, parameters: Record<string, unknown>): Promise<unknown> }

/** Firefox's own remote control: JSON over TCP. Each message follows its length in bytes and a colon. */
async function openMarionette(port: number, hasEnded: () => boolean): Promise<Marionette> {
  const socket = await connect(port, hasEnded)
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let received = Buffer.alloc(0)
  let last = 0

  function hear(message: unknown) {
    // Firefox first introduces itself, with a message that is no array.
    if (!Array.isArray(message)) return
    const [, id, error, result] = message as [number, number, { error: string; message: string } | null, unknown]
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error) asked?.reject(new Error(`${error.error}: ${error.message}`))
    else asked?.resolve(result)
  }

  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const colon = received.indexOf(':')
      if (colon < 0) return
      const end = colon + 1 + Number(received.subarray(0, colon).toString())
      if (received.length < end) return
      const message: unknown = JSON.parse(received.subarray(colon + 1, end).toString())
      received = received.subarray(end)
      hear(message)
    }
  })
  socket.on('close', () => {
    for (const asked of waiting.values()) asked.reject(new Error('Firefox is gone'))
    waiting.clear()
  })
  // A 'close' event follows.
  socket.on('error', () => undefined)

  function ask(command: string, parameters: Record<string, unknown>): Promise<unknown> {
    const id = ++last
    const text = JSON.stringify([0, id, command, parameters])
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      socket.write(`${Buffer.byteLength(text)}:${text}`)
    })
  }

  await ask('WebDriver:NewSession', { timeouts })
  return { ask }
}

/** The browser listens only seconds after its start. */
async function connect(port: number, hasEnded: () => boolean): Promise<net.Socket> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const socket = net.connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    if (isOpen) return socket
    if (hasEnded()) throw new Error('Firefox ended while it started')
    if (Date.now() > deadline) throw new Error('Firefox did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
