import { spawn } from 'node:child_process'
import { chooseBrowser, browserSwitches } from '#tests/support/browser.ts'

/** A browser without an observer, as users have it. */
export type PlainBrowser = {
  /** Opens an address, with a script that runs before anything of the page. */
  open(address: string, before: string): Promise<void>
  /** Returns the value of an expression in the open page. */
  read<T>(expression: string): Promise<T>
  close(): Promise<void>
}

type Answer = { id?: number; result?: Record<string, unknown>; error?: { message: string } }

/**
 * Driven through a pipe by the four necessary commands. A driver that listens to the pages' log makes the engine look up the place of each
 * error in the script. React makes several errors while it is evaluated. That took a fifth of a second of a start, which only the
 * measurement waits for.
 */
export async function openPlainBrowser(profile: string): Promise<PlainBrowser> {
  const { executablePath } = await chooseBrowser()
  const view = '--window-size=1024,768'
  const browser = spawn(
    executablePath,
    [...browserSwitches, '--headless', view, '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const gone = new Promise<void>((resolve) => browser.once('exit', () => resolve()))
  const [, , , write, read] = browser.stdio
  if (!write || !('write' in write) || !read || !('setEncoding' in read)) throw new Error('The browser has no pipe')
  const waiting = new Map<number, (answer: Answer) => void>()
  let rest = ''
  read.setEncoding('utf8')
  read.on('data', (text: string) => {
    const messages = (rest + text).split('\0')
    rest = messages.pop() ?? ''
    for (const message of messages) {
      const answer: Answer = JSON.parse(message)
      if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
    }
  })
  let last = 0
  const send = async (method: string, params: object = {}, sessionId?: string): Promise<Record<string, unknown>> => {
    const id = ++last
    const heard = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    write.write(`${JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) })}\0`)
    const { result, error } = await heard
    waiting.delete(id)
    if (error) throw new Error(`${method}: ${error.message}`)
    return result ?? {}
  }

  const { targetInfos } = (await send('Target.getTargets')) as { targetInfos: { targetId: string; type: string }[] }
  const target = targetInfos.find(({ type }) => type === 'page')
  if (!target) throw new Error('The browser has no page')
  const { sessionId } = (await send('Target.attachToTarget', { targetId: target.targetId, flatten: true })) as { sessionId: string }
  return {
    async open(address, before) {
      await send('Page.enable', {}, sessionId)
      await send('Page.addScriptToEvaluateOnNewDocument', { source: before }, sessionId)
      await send('Page.navigate', { url: address }, sessionId)
    },
    async read<T>(expression: string) {
      const { result } = (await send('Runtime.evaluate', { expression, returnByValue: true }, sessionId)) as { result: { value: T } }
      return result.value
    },
    async close() {
      await send('Browser.close').catch(() => undefined)
      await gone
    },
  }
}
