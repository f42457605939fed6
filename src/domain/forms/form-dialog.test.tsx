// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { readDraft } from '#src/sync/device/drafts.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { screenDevice } from '#tests/support/screen-device.ts'
import { FormDialog } from './form-dialog.tsx'

afterEach(cleanup)

type Sending = (body: { due: string }, ids: { id: string }) => Promise<{ ok: true; value: null }>

function setUp(send: Sending, made = screenDevice({ signedIn: true }), first = { due: '', note: '' }, id = 'first') {
  const onClose = vi.fn()
  render(
    <DeviceProvider device={made.device}>
      <FormDialog
        place="own: invoice"
        title="Invoice"
        offline={null}
        first={first}
        ids={{ id }}
        read={(form) => ({ ok: true, body: form })}
        send={send}
        onSaved={() => undefined}
        onClose={onClose}
      >
        {({ date, text }) => (
          <>
            {date('due', 'Due')}
            {text('note', 'Note')}
          </>
        )}
      </FormDialog>
    </DeviceProvider>,
  )
  return { ...made, onClose }
}

test('a half-typed date is not saved as no date', async () => {
  const send = vi.fn<Sending>(() => Promise.resolve({ ok: true, value: null }))
  const { onClose } = setUp(send)
  const input = await screen.findByLabelText('Due')
  const typedHalf = (isHalf: boolean) => Object.defineProperty(input, 'validity', { value: { badInput: isHalf }, configurable: true })
  typedHalf(true)
  fireEvent.blur(input)
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Enter a full date')).toBeTruthy()
  expect(send).not.toHaveBeenCalled()

  typedHalf(false)
  fireEvent.change(input, { target: { value: '2026-12-01' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(send).toHaveBeenCalledExactlyOnceWith({ due: '2026-12-01', note: '' }, { id: 'first' })
})

test('after a reload a stock clerk finds the typed fields, and the same work has the same id', async () => {
  const send = vi.fn<Sending>(() => Promise.resolve({ ok: true, value: null }))
  const made = setUp(send)
  fireEvent.change(await screen.findByLabelText('Note'), { target: { value: 'Two boxes' } })
  await vi.waitFor(async () => expect(await readDraft(made.device, 'own: invoice')).toMatchObject({ note: 'Two boxes' }))

  cleanup()
  setUp(send, made, { due: '2026-11-30', note: '' }, 'second')
  // Fields that the user did not change show the server's present values.
  expect(await screen.findByDisplayValue('Two boxes')).toBeTruthy()
  expect(screen.getByText('We restored your unsaved changes')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(send).toHaveBeenCalledWith({ due: '2026-11-30', note: 'Two boxes' }, { id: 'first' }))
  await vi.waitFor(async () => expect(await readDraft(made.device, 'own: invoice')).toBeNull())
})
