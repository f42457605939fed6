import type { PressedKey } from './collect-keys.ts'

export type TextField = HTMLInputElement | HTMLTextAreaElement

/** Changes a field as the key would. */
export function editField(field: TextField, key: PressedKey): void {
  const character = characterOf(key)
  if (character !== null) insert(field, character)
  else if (key.key === 'Backspace') change(field, field.value.slice(0, -1))
  else if (key.key === 'Tab') nextField(field)?.focus({ preventScroll: true })
  else if (key.key === 'Enter' && field instanceof HTMLInputElement) field.form?.requestSubmit()
}

/** Gives a field a value in a way that the listeners of the page notice. */
export function change(field: TextField, value: string): void {
  const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

function insert(field: TextField, character: string): void {
  const { value, maxLength } = field
  if (maxLength < 0 || value.length < maxLength) change(field, value + character)
}

function nextField({ form }: TextField): HTMLElement | null {
  const fields = [...(form?.elements ?? [])].filter(
    (element) => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement,
  )
  return fields[fields.findIndex((field) => field === document.activeElement) + 1] ?? null
}

/** The character that a key types; null for keys that type none. */
export function characterOf(event: Pick<KeyboardEvent, 'key' | 'keyCode' | 'ctrlKey' | 'metaKey'>): string | null {
  if (event.ctrlKey || event.metaKey) return null
  // Alt is noise: some scanners hold it down by mistake while they type.
  if (event.key.length === 1) return event.key
  // Android names no key while its on-screen keyboard listens along, but keeps the code of letters and digits.
  if (event.key === 'Unidentified' && ((event.keyCode >= 48 && event.keyCode <= 57) || (event.keyCode >= 65 && event.keyCode <= 90)))
    return String.fromCharCode(event.keyCode)
  return null
}
