import { labelEndpoints, type LabelStock } from '#contract/stock/labels.ts'
import type { Failure } from '#src/api/outcome.ts'
import { giveFile } from '#src/device/give-file.ts'
import { canPrintPdf, printBlob } from '#src/device/print-file.ts'
import type { Device } from '#src/sync/device/device.ts'
import { showToast } from '#src/ui/toast-store.ts'

/** The specification's words. */
const words = {
  printing: 'Printing SKU...',
  printed: 'SKU printed successfully!',
  failed: 'Failed to generate SKU preview.',
}

/** Hundreds of labels are drawn one by one. */
const timeoutMs = 60_000

/** `sku` where it is one piece, and its tag is known; `skip` places of the first page are used already. */
export type LabelPrint = { ids: readonly number[]; sku?: string | undefined; stock: LabelStock; skip: number }

/** Fetches the labels and gives them to the printer, or to the person as a file. False when there are none; what happened is said in a toast. */
export async function printLabels(device: Pick<Device, 'call'>, { ids, sku, stock, skip }: LabelPrint): Promise<boolean> {
  showToast({ title: words.printing })
  const answer =
    sku !== undefined && skip === 0
      ? await device.call(labelEndpoints.printLabel, { query: { sku, stock } }, { timeoutMs })
      : await device.call(labelEndpoints.printLabels, { body: { items: [...ids], stock, skip } }, { timeoutMs })
  if (!answer.ok) {
    showToast({ title: words.failed, description: reasonOf(answer.failure), tone: 'bad' })
    return false
  }
  const pdf = new Blob([answer.value], { type: 'application/pdf' })
  if (!canPrintPdf()) return saved(pdf)
  try {
    await printBlob(pdf)
  } catch {
    // Some browsers show a PDF and let no page print it.
    return saved(pdf)
  }
  showToast({ title: words.printed, tone: 'good' })
  return true
}

function saved(pdf: Blob): true {
  giveFile(pdf, 'labels.pdf')
  showToast({
    title: 'labels.pdf saved',
    description: 'This browser can’t print it directly. Open the file to print it.',
    tone: 'warn',
  })
  return true
}

function reasonOf(failure: Failure): string {
  return failure.kind === 'unreachable' ? 'You’re offline. You need a connection to print.' : failure.message
}
