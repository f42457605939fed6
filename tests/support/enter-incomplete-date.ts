import { fireEvent } from '@testing-library/react'

/** Enters a date with a part missing, which only browsers can tell, and leaves the field. */
export function enterIncompleteDate(input: HTMLElement): void {
  Object.defineProperty(input, 'validity', { value: { badInput: true }, configurable: true })
  fireEvent.change(input, { target: { value: '' } })
  fireEvent.blur(input)
}
