// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { collectKeys } from './collect-keys.ts'
import { deliverKeys, forgetKeys, holdKeys } from './early-keys.ts'
import { createScanner, type Scanner } from './scanner.ts'

let scanner: Scanner
let scans: string[]
let at: number

const listening = () => (scanner.isHeard() ? scanner : null)

beforeEach(() => {
  scans = []
  at = 1000
  scanner = createScanner({ target: window })
})
afterEach(() => {
  forgetKeys()
  scanner.close()
  document.body.replaceChildren()
  vi.useRealTimers()
})

/** Presses a key as a user does: the browser types the character into the focused field. */
function press(key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  Object.defineProperty(event, 'timeStamp', { value: at })
  ;(document.activeElement ?? document.body).dispatchEvent(event)
  const field = document.activeElement
  if (!event.defaultPrevented && key.length === 1 && field instanceof HTMLInputElement) field.value += key
  return event
}
function type(text: string, gapMs = 200) {
  for (const key of text) {
    press(key)
    at += gapMs
  }
}
function pull(code: string) {
  type(code, 9)
  press('Enter')
  at += 300
}
function field(more: { type?: string } = {}): HTMLInputElement {
  const input = Object.assign(document.createElement('input'), more)
  input.dataset['autofocus'] = 'true'
  return input
}
async function show(...elements: Element[]) {
  document.body.append(...elements)
  await Promise.resolve()
}
const listen = () => scanner.subscribe((code) => scans.push(code))

test('text goes into the first field that shows, and typing continues in it', async () => {
  collectKeys()
  type('ngu')
  deliverKeys(listening)
  type('x')
  press('Backspace')
  const name = field()
  await show(name)
  type('yen')
  expect(name.value).toBe('nguyen')
  expect(document.activeElement).toBe(name)
})

test('Enter sends the form of the field, and Tab goes to its next field', async () => {
  const sent = vi.fn((event: Event) => event.preventDefault())
  const form = document.createElement('form')
  const [first, last] = [field(), document.createElement('input')]
  form.append(first, last)
  form.addEventListener('submit', sent)
  collectKeys()
  type('bao')
  press('Tab')
  at += 200
  type('nguyen')
  press('Enter')
  deliverKeys(listening)
  await show(form)
  expect([first.value, last.value]).toEqual(['bao', 'nguyen'])
  expect(sent).toHaveBeenCalledOnce()
})

test('labels go to the scanner and text beside them to the field, each once', async () => {
  collectKeys()
  type('ab')
  at += 300
  pull('DT-100234')
  type('c')
  at += 300
  deliverKeys(listening)
  const entry = field()
  listen()
  await show(entry)
  expect(scans).toEqual(['DT-100234'])
  expect(entry.value).toBe('abc')
})

test('a label that is half collected when the page shows is read whole', async () => {
  collectKeys()
  deliverKeys(listening)
  type('DT-10', 9)
  listen()
  const entry = field()
  await show(entry)
  expect(entry.value).toBe('DT-10')
  type('0234', 9)
  press('Enter')
  expect(scans).toEqual(['DT-100234'])
  expect(entry.value).toBe('')
})

test('a scanner does not wait for the field that comes later', async () => {
  collectKeys()
  type('ab')
  at += 300
  pull('DT-100234')
  deliverKeys(listening)
  listen()
  await show(document.createElement('p'))
  expect(scans).toEqual(['DT-100234'])
  pull('DT-100235')
  type('c')
  const entry = field()
  await show(entry)
  expect(scans).toEqual(['DT-100234', 'DT-100235'])
  expect(entry.value).toBe('abc')
})

test('the first key after the page shows needs no tap on the field', async () => {
  collectKeys()
  deliverKeys(listening)
  const name = field()
  await show(name)
  expect(document.activeElement).toBe(document.body)
  type('nguyen')
  expect(name.value).toBe('nguyen')
})

test('a dialog takes scans from before it opened, and not the page behind it', async () => {
  const behind = field()
  await show(behind)
  holdKeys(listening)
  pull('DT-100234')
  type('x')
  expect(behind.value).toBe('')
  const inside = field()
  listen()
  await show(inside)
  inside.focus()
  expect(scans).toEqual(['DT-100234'])
  expect(inside.value).toBe('x')
})

test('a user who touches something else gives up the keys for the dialog', async () => {
  holdKeys(listening)
  type('secret')
  window.dispatchEvent(new Event('pointerdown'))
  const other = field()
  await show(other)
  other.focus()
  expect(other.value).toBe('')
})

test('nothing goes into a password field, and nothing is left once the keys are forgotten', async () => {
  collectKeys()
  type('hunter2')
  deliverKeys(listening)
  const password = field({ type: 'password' })
  delete password.dataset['autofocus']
  await show(password)
  password.focus()
  expect(password.value).toBe('')
  forgetKeys()
  expect(globalThis.collectedKeys).toBeUndefined()
  const name = field()
  await show(name)
  name.focus()
  expect(name.value).toBe('')
})

test('a slash or a question mark that begins nothing is a shortcut, and within text it is text', async () => {
  collectKeys()
  for (const key of ['/', '?']) expect(press(key).defaultPrevented).toBe(false)
  type('a/b')
  deliverKeys(listening)
  const name = field()
  await show(name)
  name.focus()
  await vi.waitFor(() => expect(name.value).toBe('a/b'))
})

test('shortcuts and keys on a button keep their effect', async () => {
  const button = document.createElement('button')
  await show(button)
  collectKeys()
  expect(press('r', { ctrlKey: true }).defaultPrevented).toBe(false)
  button.focus()
  expect(press('Enter').defaultPrevented).toBe(false)
  expect(globalThis.collectedKeys?.keys).toEqual([])
})

test('a page that takes no keys gets them back after a while', () => {
  vi.useFakeTimers()
  collectKeys()
  type('nguyen')
  deliverKeys(listening)
  vi.advanceTimersByTime(20_000)
  expect(globalThis.collectedKeys).toBeUndefined()
  expect(press('a').defaultPrevented).toBe(false)
})
