// @vitest-environment jsdom
import { useEffect } from 'react'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { transferEndpoints, type TransferTab } from '#contract/stock/transfers.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { usePage } from '#src/sync/react/use-page.ts'
import { mayasHome, screenDevice } from '#tests/support/screen-device.ts'

afterEach(cleanup)

let list: { page: number; pages: number; go: (page: number) => void; reload: () => Promise<void> }

function Shown({ tab }: { tab: TransferTab }) {
  const shown = usePage(transferEndpoints.listTransfers, { tab }, 'transfers')
  useEffect(() => {
    list = shown
  })
  return <p>{shown.value ? `${tab} ${shown.page} of ${shown.pages}` : 'nothing yet'}</p>
}

/** A list with the test's number of rows. */
function open(rows: number) {
  const server = { total: rows }
  const made = screenDevice({
    signedIn: true,
    answers: () => ({ ok: true, value: { transfers: [], page: 1, page_size: 50, total: server.total } }),
  })
  const shownAs = (tab: TransferTab) => (
    <DeviceProvider device={made.device}>
      <Shown tab={tab} />
    </DeviceProvider>
  )
  const { rerender } = render(shownAs('done'))
  const asked = () => made.calls.map(({ request }) => JSON.stringify((request as { query: object }).query))
  return { ...made, server, asked, show: (tab: TransferTab) => rerender(shownAs(tab)) }
}

test('a list goes from page to page, and the request ends with the page', async () => {
  const { asked } = open(120)
  await screen.findByText('done 1 of 3')
  act(() => list.go(2))
  await screen.findByText('done 2 of 3')
  expect(asked()).toEqual(['{"tab":"done","page":"1"}', '{"tab":"done","page":"2"}'])
})

test('another filter begins on the first page, and so does the filter before it', async () => {
  const { show } = open(120)
  await screen.findByText('done 1 of 3')
  act(() => list.go(3))
  await screen.findByText('done 3 of 3')
  show('to-send')
  await screen.findByText('to-send 1 of 3')
  show('done')
  await screen.findByText('done 1 of 3')
})

test('another store begins on the first page', async () => {
  const { device } = open(120)
  await screen.findByText('done 1 of 3')
  act(() => list.go(2))
  await screen.findByText('done 2 of 3')
  act(() => device.session.state.setState({ home: { ...mayasHome, store_id: 2 } }))
  await screen.findByText('done 1 of 3')
})

test('when the last rows of a page go away, the page before it shows', async () => {
  const { server } = open(51)
  await screen.findByText('done 1 of 2')
  act(() => list.go(2))
  await screen.findByText('done 2 of 2')
  server.total = 50
  await act(() => list.reload())
  await waitFor(() => expect(screen.getByText('done 1 of 1')).toBeTruthy())
})
