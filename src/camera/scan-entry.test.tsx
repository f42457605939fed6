// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pageScanner } from '#src/device/page-scanner.ts'
import { ScanEntry } from './scan-entry.tsx'

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const upper = (raw: string) => raw.toUpperCase()
function page(takes: boolean, onCode: (code: string) => Promise<void>) {
  return (
    <>
      <ScanEntry
        label="Receive"
        placeholder="UPC"
        takes={takes}
        disabled={false}
        clean={upper}
        isKnown={() => true}
        notice={null}
        onCode={onCode}
      />
      <input aria-label="Model" />
    </>
  )
}

test('text typed or scanned into a dialog stays there, and is no label when the dialog has closed', async () => {
  const onCode = vi.fn<(code: string) => Promise<void>>().mockResolvedValue()
  const user = userEvent.setup({ delay: null })
  const { rerender } = render(page(false, onCode))
  await user.type(screen.getByLabelText('Model'), 'cove')
  rerender(page(true, onCode))
  await vi.advanceTimersByTimeAsync(5000)
  expect(screen.getByLabelText<HTMLInputElement>('Model').value).toBe('cove')
  expect(onCode).not.toHaveBeenCalled()
})

test('without a dialog the same keys are a label, wherever the focus is', async () => {
  const onCode = vi.fn<(code: string) => Promise<void>>().mockResolvedValue()
  const user = userEvent.setup({ delay: null })
  render(page(true, onCode))
  await user.type(screen.getByLabelText('Model'), 'cove{Enter}')
  await vi.advanceTimersByTimeAsync(5000)
  expect(onCode).toHaveBeenCalledWith('COVE')
  expect(screen.getByLabelText<HTMLInputElement>('Model').value).toBe('')
  pageScanner().take('again')
  await vi.advanceTimersByTimeAsync(0)
  expect(onCode).toHaveBeenCalledTimes(2)
})
