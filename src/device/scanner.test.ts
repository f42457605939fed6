// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createScanner, type Scanner, type ScannerOptions } from './scanner.ts'

let scanner: Scanner
let scans: string[]

function start(options: Partial<ScannerOptions> = {}): void {
  scanner = createScanner({ target: window, timeOf: () => performance.now(), clean: (raw) => raw.trim(), ...options })
  scanner.subscribe((code) => scans.push(code))
}

beforeEach(() => {
  vi.useFakeTimers()
  scans = []
})
afterEach(() => {
  scanner.close()
  document.body.replaceChildren()
  vi.useRealTimers()
})

/** Presses a key as a browser does: the character goes into the field unless a listener prevents it. */
function press(key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const focused = document.activeElement ?? document.body
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, composed: true, ...more })
  focused.dispatchEvent(event)
  if (!event.defaultPrevented && key.length === 1 && focused instanceof HTMLInputElement) {
    focused.setRangeText(key, focused.selectionStart ?? 0, focused.selectionEnd ?? 0, 'end')
    focused.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return event
}

function type(text: string, gapMs: number, more: KeyboardEventInit = {}): void {
  for (const character of text) {
    press(character, more)
    vi.advanceTimersByTime(gapMs)
  }
}

function field(value = ''): HTMLInputElement {
  const input = document.createElement('input')
  input.value = value
  document.body.append(input)
  input.focus()
  input.setSelectionRange(value.length, value.length)
  return input
}

describe('a wedge scanner anywhere on the page', () => {
  test('a burst that ends with Enter is a scan at once', () => {
    start()
    type('100234', 5)
    expect(scans).toEqual([])
    const enter = press('Enter')
    expect(scans).toEqual(['100234'])
    expect(enter.defaultPrevented).toBe(true)
  })

  test('a hundred scans in ten seconds all arrive, once and in order', () => {
    start()
    const codes = Array.from({ length: 100 }, (_, at) => `LG${String(100_000 + at)}`)
    for (const code of codes) {
      type(code, 4)
      press('Enter')
      vi.advanceTimersByTime(100 - code.length * 4)
    }
    expect(scans).toEqual(codes)
  })

  test('Tab ends a scan too, and the focus does not move', () => {
    start()
    type('100234', 10)
    const tab = press('Tab')
    expect(scans).toEqual(['100234'])
    expect(tab.defaultPrevented).toBe(true)
  })

  test('a scan without a suffix counts after a moment of silence, and quickly once the scanner is known', () => {
    start()
    type('100234', 10)
    vi.advanceTimersByTime(485)
    expect(scans).toEqual([])
    vi.advanceTimersByTime(20)
    expect(scans).toEqual(['100234'])
    type('100235', 10)
    vi.advanceTimersByTime(105)
    expect(scans).toEqual(['100234'])
    vi.advanceTimersByTime(20)
    expect(scans).toEqual(['100234', '100235'])
  })

  test('keys that arrive late on a busy tablet count by their press time, and no code is cut in two', () => {
    let pressedAt = 0
    start({ timeOf: () => (pressedAt += 9) })
    const [first, second] = ['DT-100234', 'DT-100235']
    // The first code of the day may stall for less time than a code of a scanner with a known end key.
    for (const [code, stall] of [
      [first, 450],
      [second, 1400],
    ] as const) {
      type(code.slice(0, 5), 0)
      vi.advanceTimersByTime(stall)
      type(code.slice(5), 0)
      press('Enter')
    }
    expect(scans).toEqual([first, second])
  })

  test('a code without its end key still counts', () => {
    start()
    type('100233', 5)
    press('Enter')
    type('100234', 5)
    vi.advanceTimersByTime(1600)
    expect(scans).toEqual(['100233', '100234'])
  })

  test('carriage return and line feed end one scan, not two, and press no button', () => {
    start()
    type('100234', 5)
    press('Enter')
    vi.advanceTimersByTime(5)
    expect(press('Enter').defaultPrevented).toBe(true)
    vi.advanceTimersByTime(500)
    expect(press('Enter').defaultPrevented).toBe(false)
    expect(scans).toEqual(['100234'])
  })

  test('a user who presses Tab right after a scan waits only a moment, however quickly they press', () => {
    start()
    type('100234', 5)
    press('Enter')
    let held = 0
    while (held < 1000) {
      vi.advanceTimersByTime(5)
      if (!press('Tab').defaultPrevented) break
      held += 1
    }
    expect(held).toBeLessThan(40)
  })

  test('a line feed that comes as Ctrl+J ends the scan instead of opening the downloads', () => {
    start()
    type('100234', 5)
    expect(press('j', { ctrlKey: true }).defaultPrevented).toBe(true)
    expect(scans).toEqual(['100234'])
  })

  test('capitals with Shift are part of the code', () => {
    start()
    for (const character of 'LG-00a7') {
      if (character !== character.toLowerCase()) press('Shift', { shiftKey: true })
      press(character, { shiftKey: true })
      vi.advanceTimersByTime(6)
    }
    press('Enter')
    expect(scans).toEqual(['LG-00a7'])
  })

  test('a scanner that holds Alt by mistake still scans', () => {
    start()
    type('100234', 5, { altKey: true })
    press('Enter', { altKey: true })
    expect(scans).toEqual(['100234'])
  })

  test('a group separator inside a long label does not cut it', () => {
    start()
    type('0101234567', 5)
    expect(press(']', { ctrlKey: true }).defaultPrevented).toBe(true)
    vi.advanceTimersByTime(5)
    type('2199', 5)
    press('Enter')
    expect(scans).toEqual(['01012345672199'])
  })

  test('a radio that stutters in the middle of a code does not cut it in two', () => {
    start()
    type('100233', 5)
    press('Enter')
    vi.advanceTimersByTime(600)
    type('DT-10', 5)
    vi.advanceTimersByTime(180)
    type('0234', 5)
    press('Enter')
    vi.advanceTimersByTime(600)
    type('D', 120)
    type('T-100235', 5)
    press('Enter')
    expect(scans).toEqual(['100233', 'DT-100234', 'DT-100235'])
  })

  test('slow typing stays typing, even after a scanner has ended with Enter', () => {
    start()
    type('100233', 5)
    press('Enter')
    for (const gapMs of [90, 150, 250, 290]) {
      vi.advanceTimersByTime(1000)
      type('100234', gapMs)
      expect(press('Enter').defaultPrevented).toBe(false)
    }
    expect(scans).toEqual(['100233'])
  })

  test('the caller reads the code of a label, and an empty code is no scan', () => {
    start({ clean: (raw) => (raw === '----' ? '' : raw.toUpperCase()) })
    type('----', 5)
    press('Enter')
    type('lg77', 5)
    press('Enter')
    expect(scans).toEqual(['LG77'])
  })
})

describe('a user who types', () => {
  test('slow typing stays typing, in a field and outside of it', () => {
    start()
    const input = field()
    type('100234', 90)
    const enter = press('Enter')
    vi.advanceTimersByTime(500)
    expect(scans).toEqual([])
    expect(input.value).toBe('100234')
    expect(enter.defaultPrevented).toBe(false)
  })

  test('quick typing of 12 characters a second is not a scan', () => {
    start()
    type('eighty ms', 79)
    press('Enter')
    vi.advanceTimersByTime(500)
    expect(scans).toEqual([])
  })

  test('three quick keys are not a scan', () => {
    start()
    type('123', 5)
    press('Enter')
    expect(scans).toEqual([])
  })

  test('a key held down is not a scan', () => {
    start()
    press('a')
    for (let at = 0; at < 30; at++) {
      vi.advanceTimersByTime(30)
      press('a', { repeat: true })
    }
    vi.advanceTimersByTime(500)
    expect(scans).toEqual([])
  })

  test('a shortcut still works', () => {
    start()
    expect(press('b', { ctrlKey: true }).defaultPrevented).toBe(false)
    expect(press('F8').defaultPrevented).toBe(false)
  })

  test('the threshold is a setting: a slow scanner scans with a wider one', () => {
    start()
    type('100234', 55)
    press('Enter')
    expect(scans).toEqual([])
    scanner.setGap(60)
    vi.advanceTimersByTime(500)
    type('100234', 55)
    press('Enter')
    expect(scans).toEqual(['100234'])
  })
})

describe('a scan while a field has the focus', () => {
  test('leaves the field, which keeps the text typed before and informs its listeners', () => {
    start()
    const input = field('left shelf')
    const heard = vi.fn()
    input.addEventListener('input', () => heard(input.value))
    type('100234', 5)
    const enter = press('Enter')
    expect(scans).toEqual(['100234'])
    expect(input.value).toBe('left shelf')
    expect(heard).toHaveBeenLastCalledWith('left shelf')
    expect(input.selectionStart).toBe('left shelf'.length)
    expect(enter.defaultPrevented).toBe(true)
  })

  test('keeps the text typed just before the trigger was pulled', () => {
    start()
    const input = field()
    type('abc', 120)
    vi.advanceTimersByTime(300)
    type('100234', 5)
    press('Enter')
    expect(input.value).toBe('abc')
    expect(scans).toEqual(['100234'])
  })

  test('a space in a code does not press the focused button', () => {
    start()
    const button = document.createElement('button')
    document.body.append(button)
    button.focus()
    type('LG', 5)
    vi.advanceTimersByTime(0)
    expect(press(' ').defaultPrevented).toBe(true)
  })
})

describe('who gets the scans', () => {
  test('the latest subscriber, until it leaves', () => {
    start()
    const dialog: string[] = []
    const leave = scanner.subscribe((code) => dialog.push(code))
    type('100234', 5)
    press('Enter')
    leave()
    type('100235', 5)
    press('Enter')
    expect(dialog).toEqual(['100234'])
    expect(scans).toEqual(['100235'])
  })

  test('nobody without a subscriber: the keys are left alone', () => {
    start()
    scanner.close()
    scanner = createScanner({ target: window, timeOf: () => performance.now() })
    type('100234', 5)
    expect(press('Enter').defaultPrevented).toBe(false)
  })
})
