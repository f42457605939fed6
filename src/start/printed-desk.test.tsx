// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { firstFields } from '#src/features/patients/patients/first-fields.ts'
import { keepPresses } from '#src/features/patients/patients/printed-presses.ts'
import { printDesk } from '#src/start/printed-desk.tsx'

/** As the page has it when it is opened, and with the modules that come later. */
async function openPage() {
  document.body.innerHTML = `<div id="app">${printDesk()}</div>`
  vi.resetModules()
  const place = document.getElementById('app')
  if (!place) throw new Error('The page has no place for the app')
  return { place, load: loadPanel }
}

async function loadPanel() {
  const [{ SearchPanel }, { searchStore }] = await Promise.all([
    import('#src/features/patients/patients/components/search-panel.tsx'),
    import('#src/features/patients/patients/store.ts'),
  ])
  const onSearch = vi.fn()
  const source = { shelf: null, status: 'ready', turn: 0, isOffline: false } as const
  const panel = <SearchPanel source={source} today="2026-11-24" Link={() => null} MoreFields={null} onSearch={onSearch} />
  return { panel, onSearch, searchStore }
}

/** What React does with what stands in its place when it draws there for the first time. */
function drawInto(place: HTMLElement, panel: React.ReactElement) {
  act(() => {
    place.replaceChildren()
    render(panel, { container: place })
  })
}

keepPresses()
afterEach(cleanup)

const field = (label: string) => {
  const found = screen.getByLabelText(label, { exact: true })
  if (!(found instanceof HTMLInputElement)) throw new Error(`${label} is no field`)
  return found
}
/** As a person does, with no script of the page's that hears it. */
const type = (label: string, text: string) => (field(label).value = text)

test('the page has the fields that always show, in their order', async () => {
  await openPage()
  const labels = [...document.querySelectorAll('[data-printed] label')].map((label) => label.textContent)
  expect(labels).toEqual(['Name', 'Last Name', 'DOB', 'Phone', 'Address'])
  expect(labels).toHaveLength(firstFields.length)
})

test('what is typed before there is any code is searched for, and the keyboard stays in its word', async () => {
  const { place, load } = await openPage()
  field('Last Name').focus()
  type('Last Name', 'oh')
  const { panel, searchStore } = await load()
  type('Last Name', 'ohara')
  type('DOB', '2/28')
  field('Last Name').setSelectionRange(2, 2)
  drawInto(place, panel)
  expect(document.querySelector('[data-printed]')).toBeNull()
  expect(searchStore.getState().criteria).toMatchObject({ last_name: 'ohara', dob: '2/28' })
  expect([field('Last Name').value, field('DOB').value]).toEqual(['ohara', '2/28'])
  expect(document.activeElement).toBe(field('Last Name'))
  await waitFor(() => expect(field('Last Name').selectionStart).toBe(2))
})

test('where nothing was typed nothing is searched for, and nobody’s keyboard is taken', async () => {
  const { place, load } = await openPage()
  const { panel, searchStore } = await load()
  drawInto(place, panel)
  expect(searchStore.getState().criteria).toEqual({})
  expect(document.activeElement).toBe(document.body)
})

test('a press on Search, or Enter, waits for the panel that hears it', async () => {
  const { place, load } = await openPage()
  type('Name', 'nguyen')
  const isSentAway = fireEvent.submit(screen.getByRole('search'))
  expect(isSentAway).toBe(false)
  const { panel, onSearch } = await load()
  drawInto(place, panel)
  await waitFor(() => expect(onSearch).toHaveBeenCalledOnce())
})

test('so does one on More fields', async () => {
  const { place, load } = await openPage()
  fireEvent.click(screen.getByRole('button', { name: 'More fields' }))
  const { panel, searchStore } = await load()
  expect(searchStore.getState().expanded).toBe(false)
  drawInto(place, panel)
  await waitFor(() => expect(searchStore.getState().expanded).toBe(true))
})

test('what was typed is gone with the page: nobody who comes later finds it', async () => {
  const { place, load } = await openPage()
  type('Name', 'nguyen')
  const { panel, searchStore } = await load()
  // The lock screen, or the login screen.
  act(() => place.replaceChildren())
  await Promise.resolve()
  drawInto(place, panel)
  expect(searchStore.getState().criteria).toEqual({})
})

test('the panel is taken over once', async () => {
  const { place, load } = await openPage()
  type('Name', 'nguyen')
  const { panel, searchStore } = await load()
  drawInto(place, panel)
  act(() => searchStore.setState({ criteria: {} }))
  cleanup()
  drawInto(place, panel)
  expect(searchStore.getState().criteria).toEqual({})
})
