import { collectKeys, isEditable, pressedKey, type PressedKey } from './collect-keys.ts'
import { editField, type TextField } from './edit-field.ts'
import type { Scanner } from './scanner.ts'

/** A page that takes neither text nor codes by this time takes none, ms. */
const longestWaitMs = 20_000

/** The field of the page that takes text when nothing has the focus. */
const firstField = () => document.querySelector<HTMLInputElement>('input[data-autofocus]:enabled')

/** Ends the delivery under way. */
let end = () => {}

/**
 * Gives the keys that were collected to the page: a scan goes to the scanner of the page, text goes to the field that
 * gets the focus, or to the first field of the page. Ends when something on the page takes the keys.
 * @param scanner returns the scanner that listens, or null
 */
export function deliverKeys(scanner: () => Scanner | null): void {
  const collected = globalThis.collectedKeys
  if (!collected) return
  end()
  const over = new AbortController()
  const { signal } = over
  const timer = setTimeout(forgetKeys, longestWaitMs)
  /** A scanner has read the keys: the others wait for a field, and new keys go to both. */
  let isRead = false
  const give = (field: TextField) => {
    const given = collected.keys.splice(0)
    forgetKeys()
    deliver(given, field, scanner(), isRead)
  }
  /** A dialog that is opening takes the keys only by its focus. */
  const offer = () => {
    if (collected.isHeld || collected.keys.length === 0) return
    const field = firstField()
    if (field) return give(field)
    if (isRead) return
    const listener = scanner()
    if (!listener) return
    isRead = true
    const text: PressedKey[] = []
    const last = listener.replay(collected.keys.splice(0), (key) => text.push(key))
    collected.keys.push(...text, ...last)
    if (collected.keys.length === 0) forgetKeys()
  }
  const observer = new MutationObserver(offer)
  end = () => {
    observer.disconnect()
    clearTimeout(timer)
    over.abort()
  }
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled', 'data-autofocus'] })
  window.addEventListener('focusin', ({ target }) => isTextField(target) && give(target), { signal })
  // The user does something other than wait for the dialog.
  if (collected.isHeld) window.addEventListener('pointerdown', forgetKeys, { signal, capture: true })
  collected.onKey = (event) => {
    if (isRead) collected.keys.push(pressedKey(event))
    return isRead || (!collected.isHeld && collected.keys.length === 0 && takesKey(scanner))
  }
  if (isTextField(document.activeElement)) give(document.activeElement)
  else offer()
}

/** Keeps the keys for a dialog that the user asked for and that is opening. */
export function holdKeys(scanner: () => Scanner | null): void {
  collectKeys().isHeld = true
  deliverKeys(scanner)
}

/** Forgets the keys. The next user must not find this user's text. */
export function forgetKeys(): void {
  end()
  globalThis.collectedKeys?.stop()
}

/** Whether the page takes a key that is pressed now. */
function takesKey(scanner: () => Scanner | null): boolean {
  const field = firstField()
  if (!field && !scanner()) return false
  forgetKeys()
  // The browser types the key into the field with the focus. A scan needs no field.
  if (field && !scanner()) field.focus({ preventScroll: true })
  return true
}

function deliver(keys: readonly PressedKey[], field: TextField, scanner: Scanner | null, isRead: boolean): void {
  const type = (key: PressedKey) => {
    if (!isTextField(document.activeElement)) field.focus({ preventScroll: true })
    editField(isTextField(document.activeElement) ? document.activeElement : field, key)
  }
  if (!scanner) return keys.forEach(type)
  const { text, last } = isRead ? scanner.split(keys) : { text: [], last: scanner.replay(keys, type) }
  text.forEach(type)
  scanner.typesInto(field)
  last.forEach(type)
}

function isTextField(target: EventTarget | null): target is TextField {
  return isEditable(target) && (target instanceof HTMLInputElement ? target.type !== 'password' : target instanceof HTMLTextAreaElement)
}
