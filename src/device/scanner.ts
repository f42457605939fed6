import type { PressedKey } from './collect-keys.ts'
import { change, characterOf } from './edit-field.ts'

/**
 * A wedge scanner is a keyboard that types fast. This listens to the whole page, so that nobody has to tap into a field
 * before scanning. It tells a scan from typing by the rhythm alone.
 *
 * A burst is a scan when it has at least `minLength` characters, no gap longer than `maxGapMs`, a mean gap of at most
 * `gapMs`, and ends with Enter, Tab or `silenceMs` of silence. When a field has the focus, the scanner removes the
 * characters of a scan from it.
 */
export type ScannerOptions = {
  /** Usually the window. */
  target: EventTarget
  /** Largest mean gap between two characters of a scan, ms. A setting: 55 ms was too little for some phones. */
  gapMs?: number
  maxGapMs?: number
  /** Silence after which a code is complete, ms, for a scanner without an end key. */
  silenceMs?: number
  minLength?: number
  /** Returns the code in the raw text of a label. A scan with an empty code is dropped. */
  clean?: (raw: string) => string
  /** Whether quick characters may be a label, typed in a field or outside of any. Other text stays typed. */
  isLabel?: (text: string, field: HTMLElement | null) => boolean
  /** Time of the key press, ms. By default the event's own time, so that a busy page does not blur the rhythm. */
  timeOf?: (event: KeyboardEvent) => number
}

export type ScanListener = (code: string, raw: string) => void

export type Scanner = {
  /**
   * The latest subscriber gets the scans, so a dialog takes over while it is open. Returns the unsubscribe function.
   */
  subscribe(listener: ScanListener): () => void
  /** Takes a code that a camera read. The listener gets it like any scan. */
  take(raw: string): void
  /** Whether there is a subscriber. */
  isHeard(): boolean
  /**
   * Reads keys that were pressed before there was a subscriber. A scan among them goes to the listener.
   * @param type types a key that belongs to no scan
   * @returns the last keys, which may be the beginning of a scan
   */
  replay(keys: readonly PressedKey[], type: (key: PressedKey) => void): PressedKey[]
  /** Says that the beginning of a scan is typed in this field. The scan removes it again. */
  typesInto(field: FieldMemory['field']): void
  /** Returns the same as `replay`, typed keys included, and gives no scan to the listener. */
  split(keys: readonly PressedKey[]): { text: PressedKey[]; last: PressedKey[] }
  setGap(gapMs: number): void
  close(): void
}

/** `waited` is the time that a stuttering radio added, ms. The rhythm leaves it out. */
type Burst = { text: string; startedAt: number; lastAt: number; waited: number; field: FieldMemory | null }
type FieldMemory = { field: HTMLInputElement | HTMLTextAreaElement; value: string; start: number | null; end: number | null }

/** How long a radio may interrupt a code of a scanner with an end key, ms. */
const stutterMs = 300

/**
 * Silence after which a code without an end key is complete, ms. A busy machine delivers keys late, and a code cut in
 * two is two wrong codes. So only a scanner that has shown that it sends no end key gets the shorter `silenceMs`.
 */
const unknownEndMs = 500
const lostEndMs = 1500

const silentKeys = new Set(['Shift', 'CapsLock', 'NumLock', 'Alt', 'AltGraph', 'Control', 'Meta', 'Fn'])

export function createScanner(options: ScannerOptions): Scanner {
  const {
    target,
    maxGapMs = 80,
    silenceMs = 120,
    minLength = 4,
    clean = (raw) => raw,
    isLabel = () => true,
    timeOf = (event) => event.timeStamp,
  } = options
  let gapMs = options.gapMs ?? 35
  const listeners: ScanListener[] = []
  let burst: Burst | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let finishedAt = Number.NEGATIVE_INFINITY
  /** How this scanner has ended its codes so far. With `key`, silence in the middle is a stutter of the radio. */
  let ending: 'unknown' | 'key' | 'silence' = 'unknown'

  /** The allowed mean gap may exceed the largest gap when the setting says that the scanner is slow. */
  const largestGap = () => Math.max(maxGapMs, gapMs)

  function isScan(candidate: Burst): boolean {
    return candidate.text.length >= minLength && isFast(candidate) && isLabel(candidate.text, candidate.field?.field ?? null)
  }

  function drop(): void {
    clearTimeout(timer)
    burst = null
  }

  function finish(ended: Burst): void {
    drop()
    finishedAt = ended.lastAt
    if (ended.field) putBack(ended.field)
    take(ended.text)
  }

  function take(raw: string): void {
    const code = clean(raw)
    if (code !== '') listeners.at(-1)?.(code, raw)
  }

  function waitForSilence(): void {
    clearTimeout(timer)
    const waiting = burst
    timer = setTimeout(
      () => {
        // After a stall of the page the timer may fire before keys that were pressed earlier. Let those keys go first.
        timer = setTimeout(() => {
          if (!burst || burst !== waiting) return
          if (!isScan(burst)) return drop()
          if (ending === 'unknown') ending = 'silence'
          finish(burst)
        }, 0)
      },
      ending === 'key' ? lostEndMs : ending === 'unknown' ? unknownEndMs : silenceMs,
    )
  }

  function swallow(event: KeyboardEvent): void {
    event.preventDefault()
    event.stopImmediatePropagation()
  }

  function onKeyDown(event: Event): void {
    if (!(event instanceof KeyboardEvent) || listeners.length === 0 || event.isComposing) return
    const taken = press(event, timeOf(event), () => rememberField(event))
    if (taken === 'swallowed') swallow(event)
    else if (taken === 'silenced') event.preventDefault()
  }

  /** Returns `swallowed` for a key of the scan alone, and `silenced` for a key that must do nothing else. */
  function press(event: PressedKey, at: number, remember: () => FieldMemory | null): 'swallowed' | 'silenced' | null {
    // A held key repeats as fast as a scanner types.
    if (event.repeat) return dropped()
    if (silentKeys.has(event.key)) return null
    const gap = burst ? at - burst.lastAt : 0
    if (burst && gap > largestGap()) {
      // Allows one stutter anywhere, and more only in a sure scan. Slow typing never counts as a scan.
      const mayStutter = burst.waited === 0 || (burst.text.length >= 3 && isFast(burst))
      if (ending === 'key' && gap <= stutterMs && mayStutter) burst.waited += gap
      else if (isScan(burst) && gap > silenceMs) finish(burst)
      else drop()
    }
    const inControl = event.ctrlKey || event.metaKey
    if (event.key === 'Enter' || event.key === 'Tab' || (inControl && (event.key === 'j' || event.key === 'm'))) {
      // Some scanners send a line feed as Ctrl+J, which opens the browser's downloads.
      if (burst && isScan(burst)) {
        ending = 'key'
        finish({ ...burst, lastAt: at })
        return 'swallowed'
      }
      // Carriage return and line feed arrive as two keys, and both belong to the scan. The time counts from the scan,
      // so a user who presses Tab waits only a moment.
      return at - finishedAt <= largestGap() ? 'swallowed' : dropped()
    }
    const character = characterOf(event)
    if (character === null) {
      // Group separators of long labels come as Ctrl with a bracket. In a burst they are not a shortcut.
      return inControl && burst && burst.text.length >= 2 ? 'swallowed' : dropped()
    }
    let taken: 'silenced' | null = null
    if (!burst) burst = { text: character, startedAt: at, lastAt: at, waited: 0, field: remember() }
    else {
      burst.text += character
      burst.lastAt = at
      // A space in a code must not press the focused button.
      if (burst.field === null && burst.text.length > 2 && isFast(burst)) taken = 'silenced'
    }
    waitForSilence()
    return taken
  }

  function dropped(): null {
    drop()
    return null
  }

  function replay(keys: readonly PressedKey[], type: (key: PressedKey) => void): PressedKey[] {
    let open: PressedKey[] = []
    for (const key of keys) {
      const [before, finishedBefore] = [burst, finishedAt]
      const taken = press(key, key.timeStamp, () => null)
      if (finishedAt !== finishedBefore) open = []
      else if (burst !== before) open.splice(0).forEach(type)
      if (taken === 'swallowed') continue
      if (burst) open.push(key)
      else type(key)
    }
    return open
  }

  function split(keys: readonly PressedKey[]) {
    const reader = createScanner({ ...options, gapMs, target: new EventTarget() })
    reader.subscribe(() => undefined)
    const text: PressedKey[] = []
    const last = reader.replay(keys, (key) => text.push(key))
    reader.close()
    return { text, last }
  }

  const isFast = ({ text, startedAt, lastAt, waited }: Burst) => (lastAt - startedAt - waited) / (text.length - 1) <= gapMs

  target.addEventListener('keydown', onKeyDown, { capture: true })

  return {
    subscribe(listener) {
      // A new function each time, so that the same listener may subscribe twice and leave once.
      const entry: ScanListener = (code, raw) => listener(code, raw)
      listeners.push(entry)
      return () => {
        const place = listeners.indexOf(entry)
        if (place >= 0) listeners.splice(place, 1)
        if (listeners.length === 0) drop()
      }
    },
    take,
    isHeard: () => listeners.length > 0,
    replay,
    typesInto(field) {
      if (burst) burst.field = memoryOf(field)
    },
    split,
    setGap(next) {
      gapMs = next
    },
    close() {
      target.removeEventListener('keydown', onKeyDown, { capture: true })
      listeners.length = 0
      drop()
    },
  }
}

function rememberField(event: KeyboardEvent): FieldMemory | null {
  const field = event.composedPath()[0]
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return null
  if (field instanceof HTMLInputElement && ['checkbox', 'radio', 'button', 'submit', 'range', 'file', 'color'].includes(field.type))
    return null
  return memoryOf(field)
}

const memoryOf = (field: FieldMemory['field']): FieldMemory => ({
  field,
  value: field.value,
  start: field.selectionStart,
  end: field.selectionEnd,
})

/** Restores the field's text from before the scan, so that the page's own listeners notice. */
function putBack({ field, value, start, end }: FieldMemory): void {
  if (field.value === value) return
  change(field, value)
  if (start !== null && document.activeElement === field) field.setSelectionRange(start, end)
}
