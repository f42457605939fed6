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

/** The server draws hundreds of labels one by one. */
const timeoutMs = 60_000

/** The labels to print. `sku` is the tag of a single piece, if known; `skip` places of the first page are used. */
export type LabelPrint = { ids: readonly number[]; sku?: string | undefined; stock: LabelStock; skip: number }

/**
 * Loads the labels and prints them, or saves them as a file. Returns false when the server made none. A toast shows the
 * result.
 */
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
    // Some browsers show a PDF but let no page print it.
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
