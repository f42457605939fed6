// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { FormDialog } from './form-dialog.tsx'

afterEach(cleanup)

test('a date that is typed half is not saved as none', async () => {
  const send = vi.fn(() => Promise.resolve({ ok: true as const, value: null }))
  const onClose = vi.fn()
  render(
    <FormDialog
      title="Invoice"
      offline={null}
      first={{ due: '' }}
      read={(form) => ({ ok: true, body: form })}
      send={send}
      onSaved={() => undefined}
      onClose={onClose}
    >
      {({ date }) => date('due', 'Due')}
    </FormDialog>,
  )
  const input = await screen.findByLabelText('Due')
  const typedHalf = (isHalf: boolean) => Object.defineProperty(input, 'validity', { value: { badInput: isHalf }, configurable: true })
  typedHalf(true)
  fireEvent.blur(input)
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(screen.getByText('Enter a full date')).toBeTruthy()
  expect(send).not.toHaveBeenCalled()

  typedHalf(false)
  fireEvent.change(input, { target: { value: '2026-12-01' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(send).toHaveBeenCalledExactlyOnceWith({ due: '2026-12-01' })
})
