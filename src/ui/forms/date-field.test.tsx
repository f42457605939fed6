// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { DateField, incompleteDate } from './date-field.tsx'

afterEach(cleanup)

function Form({ given }: { given: string }) {
  const [value, setValue] = useState(given)
  return (
    <>
      <DateField label="DOB" value={value} onChange={setValue} error={value === '' ? undefined : 'from the form'} />
      <output>{value}</output>
    </>
  )
}

const inForm = () => screen.getByRole('status').textContent

function show(given = '') {
  render(<Form given={given} />)
  const input = screen.getByLabelText<HTMLInputElement>('DOB')
  /** Sets whether a part of the date is missing, which only a browser can know. */
  const typedHalf = (isHalf: boolean) => Object.defineProperty(input, 'validity', { value: { badInput: isHalf }, configurable: true })
  typedHalf(false)
  return { input, typedHalf }
}

const said = () => screen.queryByRole('alert')?.textContent ?? null

test('a half-typed date shows a problem and is no date in the form; a cleared or completed one is valid', () => {
  const { input, typedHalf } = show()
  typedHalf(true)
  expect(said()).toBeNull()
  fireEvent.blur(input)
  expect([inForm(), said()]).toEqual([incompleteDate, 'Enter a full date'])
  typedHalf(false)
  fireEvent.blur(input)
  expect([inForm(), said()]).toEqual(['', null])
  typedHalf(true)
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(inForm()).toBe(incompleteDate)
  typedHalf(false)
  fireEvent.change(input, { target: { value: '1980-02-28' } })
  expect([inForm(), said()]).toEqual(['1980-02-28', 'from the form'])
})

test('an empty field is empty, and a full date stays', () => {
  const { input } = show()
  fireEvent.blur(input)
  expect(inForm()).toBe('')
  cleanup()
  const { input: other } = show('2001-01-01')
  fireEvent.blur(other)
  expect(inForm()).toBe('2001-01-01')
})
