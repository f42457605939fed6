import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { officeOf, openClinic, pageOf, signIn, type PulledFrame } from '#tests/e2e/clinic.ts'
import { stockOf } from '#tests/e2e/count-room.ts'
import { tellWhatShowed, toastSaid } from '#tests/e2e/screen.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let tablet: Tablet
let page: Page
let piece: PulledFrame
/** The first bytes of every file that was given to the printer. */
const printed: string[] = []

beforeAll(async () => {
  server = await openClinic()
  const { expected } = await stockOf(await officeOf(server))
  const forSale = expected.find(({ status }) => status === 'Ready for Sale')
  if (!forSale) throw new Error('Downtown has no frame for sale')
  piece = forSale
  tablet = await openTablet({ reducedMotion: 'reduce' })
  page = await pageOf(tablet)
  await page.exposeFunction('lorgnettePrinted', (head: string) => printed.push(head))
  await page.addInitScript(standInForThePrinter)
  await signIn(page, server, 'ben')
})
afterAll(async () => {
  await tablet?.close()
  await server?.remove()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await tellWhatShowed(page)
})

/** A browser without a screen has no printer, and ends when it is asked to print a PDF: what would be printed is told instead. */
function standInForThePrinter(): void {
  Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => true })
  const files = new Map<string, Blob>()
  const createObjectURL = URL.createObjectURL.bind(URL)
  URL.createObjectURL = (file: Blob) => {
    const address = createObjectURL(file)
    files.set(address, file)
    return address
  }
  // Not every browser without a screen can show a PDF: an empty frame loads in all of them.
  const addresses = new WeakMap<HTMLIFrameElement, string>()
  Object.defineProperty(HTMLIFrameElement.prototype, 'src', {
    get(this: HTMLIFrameElement) {
      return addresses.get(this) ?? ''
    },
    set(this: HTMLIFrameElement, address: string) {
      addresses.set(this, address)
    },
  })
  Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
    get(this: HTMLIFrameElement) {
      return {
        focus: () => undefined,
        print: async () => {
          const head = await files.get(this.src)?.slice(0, 5).text()
          const tell: unknown = Reflect.get(window, 'lorgnettePrinted')
          if (typeof tell === 'function') Reflect.apply(tell, window, [head ?? 'nothing that is known'])
        },
      }
    },
  })
}

const waiting = () => page.getByRole('grid', { name: 'Waiting labels' })
const rows = async () => Number(await waiting().getAttribute('aria-rowcount'))
const mine = () => waiting().getByRole('row').filter({ hasText: piece.sku })

test('a label is asked for in the frame lookup, printed with the others, and one that did not come out stays', async () => {
  await page.goto(`${server.origin}/inventory/labels`)
  await waiting().waitFor()
  const before = await rows()
  expect(await mine().count()).toBe(0)

  await page.getByRole('button', { name: 'Frame lookup', exact: true }).click()
  const lookup = page.getByRole('dialog', { name: 'Frame lookup by Serial / F#' })
  await lookup.getByLabel('Serial / F#').fill(piece.sku)
  await lookup.getByRole('button', { name: 'Look up', exact: true }).click()
  await lookup.getByRole('button', { name: 'Request a label' }).click()
  await toastSaid(page, 'Label requested', piece.sku)
  await page.keyboard.press('Escape')
  await lookup.waitFor({ state: 'detached' })

  // The list that is open takes it in by itself.
  await mine().getByText('Ben Halvorsen').waitFor()
  expect(await rows()).toBe(before + 1)

  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/api/inventory/print-labels')),
    page.getByRole('button', { name: `Print ${before + 1} labels` }).click(),
  ])
  expect(answer.headers()['content-type']).toBe('application/pdf')
  await toastSaid(page, 'SKU printed successfully!')
  await expect.poll(() => printed).toEqual(['%PDF-'])

  await page.getByText('Did they all print?').waitFor()
  await mine().click()
  await page.getByRole('button', { name: `${before} came out` }).click()
  await toastSaid(page, `${before} frames labelled`)
  await expect.poll(rows).toBe(1)
  expect(await mine().count()).toBe(1)

  await page.getByRole('button', { name: 'Print 1 label' }).click()
  await toastSaid(page, 'SKU printed successfully!')
  await page.getByRole('button', { name: 'All printed' }).click()
  await page.getByText('No labels waiting.').waitFor()
  expect(printed).toEqual(['%PDF-', '%PDF-'])
  await page.reload()
  await page.getByText('No labels waiting.').waitFor()
})
