import type { EngineWindow } from '#tests/engines/engine.ts'

/** The commands of the WebDriver standard that a window needs. Each browser has its own way to send them. */
export type WebDriverCommand = 'navigate' | 'refresh' | 'execute' | 'actions'
export type SendCommand = (command: WebDriverCommand, parameters: Record<string, unknown>) => Promise<unknown>

/** How long a page may take to load, or a script in it to answer, ms. */
export const timeouts = { pageLoad: 60_000, script: 30_000 }

const enter = '\uE007'

/** A window over WebDriver, without the methods that end it. */
export function webDriverWindow(send: SendCommand): Omit<EngineWindow, 'kill' | 'close'> {
  async function keys(pressed: readonly string[]): Promise<void> {
    const actions = pressed.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
    await send('actions', { actions: [{ type: 'key', id: 'keys', actions }] })
  }

  return {
    async goto(url) {
      await send('navigate', { url })
    },
    async reload() {
      await send('refresh', {})
    },
    type: (text) => keys(Array.from(text)),
    scan: (code) => keys([...Array.from(code), enter]),
    async press(x, y) {
      const actions = [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y), origin: 'viewport', duration: 0 },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      await send('actions', { actions: [{ type: 'pointer', id: 'finger', parameters: { pointerType: 'mouse' }, actions }] })
    },
    async evaluate<Result, Argument>(look: (argument: Argument) => Result | Promise<Result>, argument: Argument) {
      const script = `const [argument, done] = arguments
        Promise.resolve(argument).then(${look.toString()}).then((value) => done({ value }), (error) => done({ failure: String(error) }))`
      const answer = (await send('execute', { script, args: [argument] })) as { value: Result } | { failure: string }
      if ('failure' in answer) throw new Error(answer.failure)
      return answer.value
    },
  }
}
