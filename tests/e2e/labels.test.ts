import { beforeAll, expect, test } from 'vitest'
import { officeOf, signIn, type PulledFrame } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { stockOf } from '#tests/e2e/count-room.ts'
import { toastSaid } from '#tests/e2e/screen.ts'

const t = e2eTablet()
let piece: PulledFrame
/** The first bytes of every printed file. */
const printed: string[] = []

beforeAll(async () => {
  const { expected } = await stockOf(await officeOf(t.server))
  const forSale = expected.find(({ status }) => status === 'Ready for Sale')
  if (!forSale) throw new Error('Downtown has no frame for sale')
  piece = forSale
  await t.page.exposeFunction('lorgnettePrinted', (head: string) => printed.push(head))
  await t.page.addInitScript(standInForThePrinter)
  await signIn(t.page, t.server, 'ben')
})

/**
 * A headless browser has no printer, and crashes when a page prints a PDF. So this records the files that the app would
 * print.
 */
function standInForThePrinter(): void {
  Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => true })
  const files = new Map<string, Blob>()
  const createObjectURL = URL.createObjectURL.bind(URL)
  URL.createObjectURL = (file: Blob) => {
    const address = createObjectURL(file)
    files.set(address, file)
    return address
  }
  // Not every headless browser can show a PDF, but all can load an empty frame.
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

const waiting = () => t.page.getByRole('grid', { name: 'Waiting labels' })
const rows = async () => Number(await waiting().getAttribute('aria-rowcount'))
const mine = () => waiting().getByRole('row').filter({ hasText: piece.sku })

test('a user requests a label in the frame lookup and prints it with others; a label that failed to print stays', async () => {
  await t.page.goto(`${t.server.origin}/inventory/labels`)
  await waiting().waitFor()
  const before = await rows()
  expect(await mine().count()).toBe(0)

  await t.page.getByRole('button', { name: 'Frame lookup', exact: true }).click()
  const lookup = t.page.getByRole('dialog', { name: 'Frame lookup by Serial / F#' })
  await lookup.getByLabel('Serial / F#').fill(piece.sku)
  await lookup.getByRole('button', { name: 'Look up', exact: true }).click()
  await lookup.getByRole('button', { name: 'Request a label' }).click()
  await toastSaid(t.page, 'Label requested', piece.sku)
  await t.page.keyboard.press('Escape')
  await lookup.waitFor({ state: 'detached' })

  // The open list shows the new request without a reload.
  await mine().getByText('Ben Halvorsen').waitFor()
  expect(await rows()).toBe(before + 1)

  const [answer] = await Promise.all([
    t.page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/api/inventory/print-labels')),
    t.page.getByRole('button', { name: `Print ${before + 1} labels` }).click(),
  ])
  expect(answer.headers()['content-type']).toBe('application/pdf')
  await toastSaid(t.page, 'SKU printed successfully!')
  await expect.poll(() => printed).toEqual(['%PDF-'])

  await t.page.getByText('Did they all print?').waitFor()
  await mine().click()
  await t.page.getByRole('button', { name: `${before} printed` }).click()
  await toastSaid(t.page, `${before} frames labeled`)
  await expect.poll(rows).toBe(1)
  await expect.poll(() => mine().count()).toBe(1)

  await t.page.getByRole('button', { name: 'Print 1 label' }).click()
  await toastSaid(t.page, 'SKU printed successfully!')
  await t.page.getByRole('button', { name: 'All printed' }).click()
  await t.page.getByText('No labels waiting.').waitFor()
  expect(printed).toEqual(['%PDF-', '%PDF-'])
  await t.page.reload()
  await t.page.getByText('No labels waiting.').waitFor()
})
