// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { toastStore } from '#src/ui/toast-store.ts'
import { enterIncompleteDate } from '#tests/support/enter-incomplete-date.ts'
import { refused } from '#tests/support/screen-device.ts'
import { all, card, closeScreens, draft, lineOf, open, withPieces } from '#tests/support/receipt-screens.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))

afterEach(closeScreens)

test('a piece is opened and deleted with the words of the specification', async () => {
  const user = userEvent.setup()
  const { sent } = open(withPieces(2))
  await user.click(await screen.findByRole('tab', { name: /Pieces/ }))
  await user.click(await screen.findByRole('button', { name: /HARB-000002/ }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText('F0000002')).toBeTruthy()
  await user.click(await dialog.findByRole('button', { name: 'Delete…' }))
  await user.click(await dialog.findByRole('button', { name: 'Delete item' }))
  expect(await screen.findByText('1 of 2 received')).toBeTruthy()
  expect(toastStore.getState().toast?.title).toBe('Item deleted successfully!')
  expect(sent).toEqual([['DELETE delete-item', { sku: 'HARB-000002', invoice_id: draft.invoice_id }]])
})

test('one press prints the labels of all pieces', async () => {
  open(withPieces(2), { permissions: [...all, 'frame.label'] })
  await userEvent.click(await screen.findByRole('tab', { name: /Pieces/ }))
  await userEvent.click(await screen.findByRole('button', { name: 'Print 2 labels' }))
  expect(await screen.findByText('Labels of 2, 1')).toBeTruthy()
})

test('a piece that was sold in the meantime stays, and a message says so', async () => {
  const user = userEvent.setup()
  const titles: unknown[] = []
  const stop = toastStore.subscribe(({ toast }) => void (toast && titles.push(toast.title)))
  open(withPieces(1), { own: (called) => (called === 'DELETE delete-item' ? refused(409, 'piece-in-use') : null) })
  await user.click(await screen.findByRole('tab', { name: /Pieces/ }))
  await user.click(await screen.findByRole('button', { name: /HARB-000001/ }))
  await user.click(await screen.findByRole('button', { name: 'Delete…' }))
  await user.click(await screen.findByRole('button', { name: 'Delete item' }))
  await waitFor(() => expect(titles).toEqual(['Deleting item from the invoice...', 'Failed to delete item.']))
  stop()
})

test('an invoice is finished, posted after a question, and paid', async () => {
  const user = userEvent.setup()
  const { sent } = open(withPieces(2))
  await user.click(await screen.findByRole('button', { name: 'Finish receiving' }))
  await user.click(await screen.findByRole('button', { name: 'Post' }))
  const sure = within(await screen.findByRole('alertdialog'))
  await user.click(sure.getByRole('button', { name: 'Post' }))
  await user.click(await screen.findByRole('button', { name: 'Mark paid' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Reference'), 'check 9')
  const day = dialog.getByLabelText<HTMLInputElement>(/^Paid on/)
  const today = day.value
  enterIncompleteDate(day)
  expect(dialog.getByText('Enter a full date')).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Mark paid' })).toHaveProperty('disabled', true)
  fireEvent.change(day, { target: { value: today } })
  await user.click(dialog.getByRole('button', { name: 'Mark paid' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.map(([, body]) => [body.step, body.version, body.paid_reference])).toEqual([
    ['finish', 3, undefined],
    ['post', 4, undefined],
    ['pay', 5, 'check 9'],
  ])
})

test('a discrepancy says what disagrees, and is posted only with a reason', async () => {
  const user = userEvent.setup()
  const { sent } = open(withPieces(1, { status: 'discrepancy' }))
  expect(await screen.findByText('1 line off · off by $45.00')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Post' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await user.click(dialog.getByRole('button', { name: 'Post' }))
  expect(await dialog.findByText('This field is required')).toBeTruthy()
  await user.type(dialog.getByLabelText(/^Reason/), 'Credit comes')
  await user.click(dialog.getByRole('button', { name: 'Post' }))
  await waitFor(() => expect(sent).toEqual([['POST vendor_invoices/{id}/step', { version: 2, step: 'post', note: 'Credit comes' }]]))
})

test('the second of two editors sees the conflict, and chooses', async () => {
  const user = userEvent.setup()
  const theirs = { ...card(draft), terms: 'Net 60', version: 4 }
  let isLate = true
  const { sent } = open(draft, {
    own: (called) => {
      if (called !== 'PUT vendor_invoices/{id}') return null
      if (!isLate) return { ok: true, value: { ...draft, terms: 'Net 90', version: 5 } }
      isLate = false
      const failure = {
        kind: 'refused' as const,
        status: 409,
        code: 'vendor-invoice-changed',
        message: 'changed',
        fields: [],
        retryAfterS: null,
      }
      return { ok: false, failure: { ...failure, details: { now: theirs } } }
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog'))
  await waitFor(() => expect(dialog.getByLabelText<HTMLSelectElement>(/^Vendor/).value).toBe('7'))
  await user.clear(dialog.getByLabelText('Terms'))
  await user.type(dialog.getByLabelText('Terms'), 'Net 90')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText('Someone else edited this too')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Keep mine' }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.map(([, body]) => [body.version, body.terms, body.amounts.total_cents])).toEqual([
    [1, 'Net 90', 9500],
    [4, 'Net 90', 9500],
  ])
})

test('a user who may not see costs gets no totals and no money fields; a reader gets no actions', async () => {
  const user = userEvent.setup()
  const blind = { ...withPieces(1), totals: null, lines: [{ ...lineOf(2, 1), costs: null }] }
  open(blind, { permissions: ['frame.look-up', 'vendor-invoice.read', 'vendor-invoice.write'] })
  await screen.findByText('1 of 2 received')
  expect(screen.queryByRole('region', { name: 'Totals check' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Edit' }))
  expect(within(await screen.findByRole('dialog')).queryByLabelText('Invoice total')).toBeNull()
  cleanup()
  open(withPieces(1), { permissions: ['frame.look-up', 'vendor-invoice.read'] })
  await screen.findByText('1 of 2 received')
  for (const name of ['Edit', 'Void', 'Finish receiving', 'Add a line']) expect(screen.queryByRole('button', { name })).toBeNull()
  expect(screen.queryByLabelText('Receive a frame')).toBeNull()
})
