import { fireEvent } from '@testing-library/react'

/** A part of the date is missing, as only browsers can tell, and the field is left. */
export function leaveHalfTyped(input: HTMLElement): void {
  Object.defineProperty(input, 'validity', { value: { badInput: true }, configurable: true })
  fireEvent.change(input, { target: { value: '' } })
  fireEvent.blur(input)
}
