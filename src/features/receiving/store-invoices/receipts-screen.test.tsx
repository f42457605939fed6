// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { enterIncompleteDate } from '#tests/support/enter-incomplete-date.ts'
import { closeScreens, draft, receiptOf, serve, withPieces } from '#tests/support/receipt-screens.tsx'
import { ReceiptsScreen } from './receipts-screen.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))

afterEach(closeScreens)

test('a vendor’s number that is already on a receipt is reported while it is typed', async () => {
  const user = userEvent.setup()
  const onOpen = vi.fn()
  const { show, sent } = serve(draft, { own: (called) => (called === 'POST create' ? { ok: true, value: receiptOf(draft) } : null) })
  show(<ReceiptsScreen tab="vendors" onTab={() => undefined} onOpenVendor={onOpen} onOpenStore={() => undefined} />)
  await user.click(await screen.findByRole('button', { name: 'New receipt' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Start receiving' }))
  expect((await dialog.findAllByText('This field is required')).length).toBe(2)
  await waitFor(() => expect(dialog.getByRole('option', { name: 'Northlight' })).toBeTruthy())
  await user.selectOptions(dialog.getByLabelText(/^Vendor/), '7')
  await user.type(dialog.getByLabelText(/^Invoice number/), 'NL-1')
  expect(await dialog.findByText('This number is already on receipt.')).toBeTruthy()
  await user.type(dialog.getByLabelText(/^Invoice number/), '2')
  await waitFor(() => expect(dialog.queryByText('This number is already on receipt.')).toBeNull())
  await user.type(dialog.getByLabelText('Invoice total'), '95')
  await user.click(dialog.getByRole('button', { name: 'Start receiving' }))
  await waitFor(() => expect(onOpen).toHaveBeenCalledOnce())
  expect(sent[0]![1].vendor_invoice).toMatchObject({ vendor_id: 7, vendor_invoice_no: 'NL-12', amounts: { total_cents: 9500 } })
})

test('the list is filtered, and shows the differences', async () => {
  const user = userEvent.setup()
  const asked: Record<string, string>[] = []
  const { show } = serve(withPieces(1, { status: 'discrepancy' }), {
    own: (called, given) => {
      if (called === 'GET receipt') asked.push(given.query ?? {})
      return null
    },
  })
  show(<ReceiptsScreen tab="vendors" onTab={() => undefined} onOpenVendor={() => undefined} onOpenStore={() => undefined} />)
  expect(await screen.findByText('off by $45.00 · 1 line off')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Filters' }))
  await user.selectOptions(screen.getByLabelText('Status'), 'discrepancy')
  await user.click(screen.getByLabelText('With differences'))
  await user.type(screen.getByLabelText('Search'), 'nl-')
  await waitFor(() => expect(asked.at(-1)).toEqual({ tab: 'vendors', page: '1', status: 'discrepancy', difference: '1', search: 'nl-' }))
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-01' } })
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ from: '2026-11-01' }))
  enterIncompleteDate(screen.getByLabelText('From'))
  expect(screen.getByText('Enter a full date')).toBeTruthy()
  await waitFor(() => expect(asked.at(-1)).not.toHaveProperty('from'))
})
