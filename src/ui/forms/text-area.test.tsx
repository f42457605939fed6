// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { TextArea } from './text-area.tsx'
import { TextField } from './text-field.tsx'

afterEach(cleanup)

test('a field asks the browser not to keep typed text, unless it names its content', () => {
  render(
    <>
      <TextArea label="Note" value="" onChange={() => {}} />
      <TextField label="Subject" value="" onChange={() => {}} />
      <TextField label="Username" autoComplete="username" value="" onChange={() => {}} />
    </>,
  )
  const kept = (label: string) => screen.getByLabelText(label).getAttribute('autocomplete')
  expect([kept('Note'), kept('Subject'), kept('Username')]).toEqual(['off', 'off', 'username'])
})
