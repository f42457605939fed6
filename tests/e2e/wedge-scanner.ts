import type { CDPSession, Page } from 'playwright-core'

/** Time between two keys of a Bluetooth wedge scanner, s. */
const keyGapS = 0.009
/** From the Enter of one label to the first key of the next, s. */
const betweenS = 0.015

type Wedge = { keys: CDPSession; freeAt: number }
const wedges = new WeakMap<Page, Promise<Wedge>>()

/**
 * Scans a label: the characters and Enter, with the key times of a scanner. The browser gets all keys at once with
 * their times. So a busy machine does not turn a scan into typing.
 */
export async function scan(page: Page, code: string): Promise<void> {
  let wedge = wedges.get(page)
  if (!wedge) {
    wedge = page
      .context()
      .newCDPSession(page)
      .then((keys) => ({ keys, freeAt: 0 }))
    wedges.set(page, wedge)
  }
  const scanner = await wedge
  const pressed = Array.from(code, characterKey)
  pressed.push({ key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' })
  // The key times lie in the past, as with a real scanner, and after the keys of the last label.
  let at = Math.max(Date.now() / 1000 - pressed.length * keyGapS, scanner.freeAt)
  const sent: Promise<unknown>[] = []
  for (const key of pressed) {
    sent.push(
      scanner.keys.send('Input.dispatchKeyEvent', { type: 'keyDown', timestamp: at, ...key }),
      scanner.keys.send('Input.dispatchKeyEvent', { type: 'keyUp', timestamp: at + keyGapS / 2, ...key, text: undefined }),
    )
    at += keyGapS
  }
  scanner.freeAt = at + betweenS
  await Promise.all(sent)
}

/** Scans many labels, each as soon as the one before is read. A slow page gets them all at once. */
export async function scanAll(page: Page, codes: readonly string[]): Promise<void> {
  await Promise.all(codes.map((code) => scan(page, code)))
}

/**
 * Scans labels at a steady pace, even when the page falls behind.
 * @param perSecond labels a second
 * @throws the browser's error as soon as the browser is gone
 */
export async function scanAtPace(page: Page, codes: readonly string[], perSecond: number): Promise<void> {
  const began = Date.now()
  const sent: Promise<void>[] = []
  let failure: unknown
  for (const [index, code] of codes.entries()) {
    const wait = began + (index * 1000) / perSecond - Date.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    if (failure) break
    const one = scan(page, code)
    // `Promise.all` below reports the rejection. Until then this handler keeps it from counting as unhandled.
    one.catch((error: unknown) => (failure ??= error))
    sent.push(one)
  }
  await Promise.all(sent)
}

type Key = { key: string; code: string; windowsVirtualKeyCode: number; text: string }

function characterKey(character: string): Key {
  const upper = character.toUpperCase()
  const isPlain = /^[A-Z0-9]$/.test(upper)
  const name = /^\d$/.test(upper) ? `Digit${upper}` : /^[A-Z]$/.test(upper) ? `Key${upper}` : ''
  return { key: character, code: name, windowsVirtualKeyCode: isPlain ? upper.charCodeAt(0) : 0, text: character }
}
