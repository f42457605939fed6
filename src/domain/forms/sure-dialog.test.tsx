// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { readDraft } from '#src/sync/device/drafts.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { screenDevice } from '#tests/support/screen-device.ts'
import type { NotDone } from './kept-form.tsx'
import { SureDialog } from './sure-dialog.tsx'

afterEach(cleanup)

const place = 'own: discarding of one'
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const reason = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Reason/ })

function setUp(onYes: (reason: string) => Promise<NotDone | null>, made = screenDevice({ signedIn: true }), withReason = true) {
  const onClose = vi.fn()
  render(
    <DeviceProvider device={made.device}>
      <SureDialog
        title="Discard it?"
        text="It is gone then."
        reason={withReason ? { place, label: 'Reason', max: 500, required: true } : undefined}
        yes="Discard"
        no="Keep it"
        onYes={onYes}
        onClose={onClose}
      />
    </DeviceProvider>,
  )
  return { ...made, onClose }
}

test('a reason is required, survives a reload, and is deleted when the work is done', async () => {
  const onYes = vi.fn(() => Promise.resolve(null))
  const made = setUp(onYes)
  await reason()
  press('Discard')
  expect(await screen.findByText('This field is required')).toBeTruthy()
  fireEvent.change(await reason(), { target: { value: ' counted twice ' } })
  await vi.waitFor(async () => expect(await readDraft(made.device, place)).toEqual({ reason: ' counted twice ' }))
  cleanup()
  setUp(onYes, made)
  expect((await reason()).value).toBe(' counted twice ')
  press('Discard')
  await vi.waitFor(async () => expect(await readDraft(made.device, place)).toBeNull())
  expect(onYes).toHaveBeenCalledExactlyOnceWith('counted twice')
})

test('a failed action says why and keeps the reason; a user who cancels discards the reason', async () => {
  const made = setUp(() => Promise.resolve({ title: 'NOT DISCARDED', text: 'The disk is full' }))
  fireEvent.change(await reason(), { target: { value: 'counted twice' } })
  press('Discard')
  expect(await screen.findByText('NOT DISCARDED')).toBeTruthy()
  expect((await reason()).value).toBe('counted twice')
  await vi.waitFor(async () => expect(await readDraft(made.device, place)).toEqual({ reason: 'counted twice' }))
  press('Keep it')
  expect(made.onClose).toHaveBeenCalledOnce()
  await vi.waitFor(async () => expect(await readDraft(made.device, place)).toBeNull())
})

test('without a reason the dialog only asks, and shows why the action failed', async () => {
  setUp(() => Promise.resolve('The disk is full'), undefined, false)
  expect(screen.queryByRole('textbox')).toBeNull()
  press('Discard')
  expect(await screen.findByText('The disk is full')).toBeTruthy()
})
