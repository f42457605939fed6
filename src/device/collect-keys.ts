/** A key that was pressed before the page could take it. */
export type PressedKey = Pick<KeyboardEvent, 'key' | 'keyCode' | 'ctrlKey' | 'metaKey' | 'repeat' | 'timeStamp'>

/** The keys of this page that wait for a field or a scanner, in their order. */
export type CollectedKeys = {
  keys: PressedKey[]
  /** Decides where a key goes once the app runs. True when the page takes the key from now on. */
  onKey: ((event: KeyboardEvent) => boolean) | null
  /** Whether keys wait although a button has the focus. */
  isHeld: boolean
  stop: () => void
}

// The script in the page shares only the window with the modules.
declare global {
  var collectedKeys: CollectedKeys | undefined
}

/** Collects keys from now on. `deliverKeys` gives them to the page. */
export function collectKeys(): CollectedKeys {
  const collected: CollectedKeys = { keys: [], onKey: null, isHeld: false, stop }

  function onKeyDown(event: KeyboardEvent) {
    if (event.isComposing || isEditable(event.target)) return
    if (!collected.isHeld && isOperable(event.target)) return
    if (!isText(event, collected.keys.at(-1)) || collected.onKey?.(event)) return
    // One reader for each key: a scanner that already listens would read it twice.
    event.preventDefault()
    event.stopImmediatePropagation()
    collected.keys.push(pressedKey(event))
  }

  function stop() {
    collected.keys.length = 0
    window.removeEventListener('keydown', onKeyDown, { capture: true })
    window.removeEventListener('pagehide', stop)
    if (globalThis.collectedKeys === collected) globalThis.collectedKeys = undefined
  }

  globalThis.collectedKeys?.stop()
  globalThis.collectedKeys = collected
  window.addEventListener('keydown', onKeyDown, { capture: true })
  window.addEventListener('pagehide', stop)
  return collected
}

export function pressedKey({ key, keyCode, ctrlKey, metaKey, repeat, timeStamp }: KeyboardEvent): PressedKey {
  return { key, keyCode, ctrlKey, metaKey, repeat, timeStamp }
}

/** A key with Ctrl is a shortcut, except in the middle of a scan: some scanners send control characters. */
const burstGapMs = 100
const noFirstText = new Set(['Tab', 'Backspace', '/', '?'])
const textKeys = new Set(['Enter', 'Tab', 'Backspace', 'Unidentified'])

function isText(event: KeyboardEvent, previous: PressedKey | undefined): boolean {
  const isInBurst = previous !== undefined && event.timeStamp - previous.timeStamp <= burstGapMs
  if (event.ctrlKey || event.metaKey) return isInBurst && event.key.length === 1
  // A first Tab or Backspace is no text, and a first slash or question mark is a shortcut of the app.
  if (noFirstText.has(event.key)) return previous !== undefined
  return event.key.length === 1 || textKeys.has(event.key)
}

export function isEditable(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}

function isOperable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a[href], button, summary, [tabindex="0"], [role="menuitem"]') !== null
}
