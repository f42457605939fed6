// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { closeScreens, draft, serve, withPieces } from '#tests/support/receipt-screens.tsx'
import { StoreInvoiceScreen } from './store-invoice-screen.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))

afterEach(closeScreens)

test('a delivery lists its vendors’ invoices, and is deleted after a question', async () => {
  const user = userEvent.setup()
  const onGone = vi.fn()
  const { show, sent } = serve(withPieces(2), {
    own: (called) => (called === 'DELETE delete/{id}' ? { ok: true, value: { ok: true } } : null),
  })
  show(<StoreInvoiceScreen invoiceId={draft.invoice_id} onOpen={() => undefined} onGone={onGone} />)
  const list = within(await screen.findByRole('list', { name: 'Vendor invoices' }))
  expect(list.getByText('NL-77')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  const sure = within(await screen.findByRole('alertdialog'))
  expect(sure.getByText(/2 frames removed from stock/)).toBeTruthy()
  await user.click(sure.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(onGone).toHaveBeenCalledOnce())
  expect(sent[0]![0]).toBe('DELETE delete/{id}')
})
