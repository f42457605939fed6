// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { PaperDocument } from '#contract/core/paper-document.ts'
import { Paper } from './paper.tsx'
import { usePrinting } from './use-printing.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function paperOf(document_: PaperDocument): Element {
  render(<Paper document={document_} />)
  return document.body.querySelector(':scope > .paper')!
}
const textsOf = (where: Element, selector: string) => [...where.querySelectorAll(selector)].map(({ textContent }) => textContent)

test('a page shows headings, paragraphs and facts in their order, and hides them from screen readers', () => {
  const paper = paperOf([
    { kind: 'heading', text: 'Harbour Street' },
    { kind: 'text', text: '12 Canal Street\nMillbrook Falls' },
    {
      kind: 'facts',
      facts: [
        ['Invoice', '#12'],
        ['Date', '2026-11-20'],
      ],
    },
  ])
  expect(paper.getAttribute('aria-hidden')).toBe('true')
  expect(textsOf(paper, 'h1, p, dt, dd')).toEqual([
    'Harbour Street',
    '12 Canal Street\nMillbrook Falls',
    'Invoice',
    '#12',
    'Date',
    '2026-11-20',
  ])
})

test('a table has group heads, names of rows, amounts at the right and its totals at the end', () => {
  const paper = paperOf([
    {
      kind: 'table',
      columns: [{ head: 'Item', as: 'label' }, { head: 'Note' }, { head: 'Price', as: 'amount' }],
      rows: ['Frames', ['Cove 12', 'Slate', '$129.00'], 'Lenses', ['Single vision', '', '$80.00']],
      totals: [
        ['Tax', '', '$10.00'],
        ['Total', '', '$219.00'],
      ],
    },
  ])
  expect(textsOf(paper, 'thead th')).toEqual(['Item', 'Note', 'Price'])
  expect(textsOf(paper, '.group th')).toEqual(['Frames', 'Lenses'])
  expect([...paper.querySelectorAll('.group th')].map((head) => head.getAttribute('colspan'))).toEqual(['3', '3'])
  expect(textsOf(paper, 'th[scope=row]')).toEqual(['Cove 12', 'Single vision', 'Tax', 'Total'])
  expect(textsOf(paper, '.amount')).toEqual(['Price', '$129.00', '$80.00', '$10.00', '$219.00'])
  expect(textsOf(paper, '.totals tr')).toEqual(['Tax$10.00', 'Total$219.00'])
})

test('a signature is a typed name or a drawing, with its caption', () => {
  const paper = paperOf([
    { kind: 'signature', mark: 'Iris Lindqvist', caption: 'Signed on 2026-11-20' },
    { kind: 'signature', mark: [[100, 100, 200, 150]], caption: 'Signed on 2026-11-21' },
  ])
  expect(textsOf(paper, '.signature')).toEqual(['Iris LindqvistSigned on 2026-11-20', 'Signed on 2026-11-21'])
  expect(paper.querySelector('polyline')?.getAttribute('points')).toBe('100 100 200 150')
})

function Printable({ onCopy }: { onCopy?: () => void }) {
  const { printing, print } = usePrinting(onCopy)
  return (
    <>
      <button onClick={print}>Print</button>
      {printing && <Paper document={[{ kind: 'heading', text: 'A whole list' }]} />}
    </>
  )
}
const shown = () => document.querySelector('.paper')?.textContent ?? null

test('the whole document is there when the browser captures the page, and gone afterwards', () => {
  const captured: (string | null)[] = []
  vi.stubGlobal('print', () => {
    act(() => {
      window.dispatchEvent(new Event('beforeprint'))
      captured.push(shown())
    })
    act(() => void window.dispatchEvent(new Event('afterprint')))
  })
  render(<Printable />)
  fireEvent.click(screen.getByRole('button', { name: 'Print' }))
  expect([...captured, shown()]).toEqual(['A whole list', null])
})

test('the browser’s own print command is recorded each time, and the button’s copy is not', () => {
  const onCopy = vi.fn()
  const browserPrints = () => {
    fireEvent(window, new Event('beforeprint'))
    fireEvent(window, new Event('afterprint'))
  }
  vi.stubGlobal('print', browserPrints)
  render(<Printable onCopy={onCopy} />)
  fireEvent.click(screen.getByRole('button', { name: 'Print' }))
  expect(onCopy).not.toHaveBeenCalled()
  browserPrints()
  browserPrints()
  expect(onCopy).toHaveBeenCalledTimes(2)
  expect(shown()).toBeNull()
})
