import { fireEvent } from '@testing-library/react'

/** Enters a date with a part missing, and leaves the field. Only a browser can report such a date. */
export function enterIncompleteDate(input: HTMLElement): void {
  Object.defineProperty(input, 'validity', { value: { badInput: true }, configurable: true })
  fireEvent.change(input, { target: { value: '' } })
  fireEvent.blur(input)
}
