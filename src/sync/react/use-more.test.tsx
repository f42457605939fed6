// @vitest-environment jsdom
import { useEffect } from 'react'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { priceBookEndpoints } from '#contract/library/price-book.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { type MoreRows, useMore } from '#src/sync/react/use-more.ts'
import { screenDevice, unreachable } from '#tests/support/screen-device.ts'

afterEach(cleanup)

let list: Pick<MoreRows<unknown, unknown>, 'more' | 'reload'>

function Shown({ search, isAsked }: { search: string; isAsked: boolean }) {
  const shown = useMore(priceBookEndpoints.bookModels, { search }, 'models', { rowKey: ({ id_model }) => id_model, isAsked })
  useEffect(() => {
    list = shown
  })
  return <p>{`${shown.rows.map(({ id_model }) => id_model).join(' ')} of ${shown.total}`}</p>
}

/** Two rows a page. `first` is the number of the first row. */
function open({ isAsked = true } = {}) {
  const server = { first: 1, total: 5, isCut: false }
  const made = screenDevice({
    signedIn: true,
    answers(_, request): Outcome<unknown> {
      if (server.isCut) return unreachable
      const from = server.first + (Number((request as { query: { page: string } }).query.page) - 1) * 2
      const models = [from, from + 1].filter((id) => id < server.first + server.total).map((id_model) => ({ id_model }))
      return { ok: true, value: { models, page: 1, page_size: 2, total: server.total } }
    },
  })
  const shownAs = (search: string) => (
    <DeviceProvider device={made.device}>
      <Shown search={search} isAsked={isAsked} />
    </DeviceProvider>
  )
  const { rerender } = render(shownAs('ray'))
  return { ...made, server, show: (search: string) => rerender(shownAs(search)) }
}

const more = () => act(async () => void (await list.more?.()))

test('pages follow below each other until all rows show', async () => {
  open()
  await screen.findByText('1 2 of 5')
  await more()
  await more()
  await screen.findByText('1 2 3 4 5 of 5')
  expect(list.more).toBeNull()
})

test('a page that cannot be loaded leaves the rows, and says why', async () => {
  const { server } = open()
  await screen.findByText('1 2 of 5')
  server.isCut = true
  let failure: unknown
  await act(async () => void (failure = await list.more?.()))
  expect(failure).toMatchObject({ kind: 'unreachable' })
  await screen.findByText('1 2 of 5')
  server.isCut = false
  await more()
  await screen.findByText('1 2 3 4 of 5')
})

test('a reload asks for every page on the screen, and no row shows twice', async () => {
  const { server } = open()
  await screen.findByText('1 2 of 5')
  await more()
  server.first = 2
  await act(() => list.reload())
  await screen.findByText('2 3 4 5 of 5')
  server.first = 1
  await more()
  await screen.findByText('2 3 4 5 of 5')
})

test('another search begins with the first page', async () => {
  const { show } = open()
  await screen.findByText('1 2 of 5')
  await more()
  await screen.findByText('1 2 3 4 of 5')
  show('oak')
  await screen.findByText('1 2 of 5')
})

test('nothing is requested before there is a request', async () => {
  const { calls } = open({ isAsked: false })
  await screen.findByText('of 0')
  expect(calls).toEqual([])
})
