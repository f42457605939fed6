import { Printer } from 'lucide-react'
import { useState } from 'react'
import { mostLabels } from '#contract/stock/labels.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { untilSent, useCutOff } from '#src/sync/react/use-cut-off.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { requestLabels } from './actions.ts'
import { StockFields, useStockChoice } from './components/stock-fields.tsx'
import { printLabels } from './model/print-labels.ts'

export type LabelsDialogProps = {
  /** The numbers of the frames. */
  ids: readonly number[]
  /** The store tag, for a single frame. */
  sku?: string | undefined
  onClose: () => void
}

/** Prints labels of frames now, or requests them for later. */
export function LabelsDialog({ ids, sku, onClose }: LabelsDialogProps) {
  const device = useDevice()
  const cutOff = useCutOff()
  const choice = useStockChoice()
  const [busy, setBusy] = useState<'print' | 'ask' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const isTooMany = ids.length > mostLabels

  async function print() {
    if (choice.skip === null) return
    setBusy('print')
    const isPrinted = await printLabels(device, { ids, sku, stock: choice.stock, skip: choice.skip })
    if (!isPrinted) return setBusy(null)
    choice.forget()
    onClose()
  }

  async function ask() {
    setBusy('ask')
    setProblem(null)
    const acted = await requestLabels(
      device,
      ids.map((id_inventory) => ({ id_inventory, sku: device.frames.get(id_inventory)?.sku ?? sku ?? `Frame ${id_inventory}` })),
    )
    setBusy(null)
    if (!acted.ok) return setProblem(acted.failure.message)
    if ('kept' in acted) {
      showToast({
        title: `${formatNumberOf(ids.length, 'label')} saved on this device`,
        description: `They’ll be added to the list ${untilSent(acted.kept)}.`,
        tone: 'good',
      })
      return onClose()
    }
    const { added } = acted.value
    const already = ids.length - added
    showToast({
      title: added === 0 ? 'Already on the list' : `${formatNumberOf(added, 'label')} added to the list`,
      ...(added > 0 && already > 0 && { description: `${formatNumberOf(already, 'frame')} already waiting.` }),
      tone: 'good',
    })
    onClose()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      size="md"
      title={sku === undefined ? 'Print labels' : `Label for ${sku}`}
      description={sku === undefined ? formatNumberOf(ids.length, 'label') : undefined}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button busy={busy === 'ask'} disabled={isTooMany || busy === 'print'} onClick={() => void ask()}>
            Print later
          </Button>
          <Button
            variant="primary"
            icon={<Printer size={18} aria-hidden />}
            busy={busy === 'print'}
            disabled={cutOff === 'offline' || isTooMany || busy === 'ask' || choice.skip === null}
            onClick={() => void print()}
          >
            Print
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {cutOff === 'offline' && (
          <Notice tone="warn">You need a connection to print. “Print later” waits on this tablet until then.</Notice>
        )}
        {isTooMany && <Notice tone="warn">At most {mostLabels} labels are printed at once. Choose fewer frames.</Notice>}
        {problem && (
          <Notice tone="bad" title="NOT SAVED">
            {problem}
          </Notice>
        )}
        <StockFields {...choice} />
        <p className="text-sm text-ink-2">
          “Print later” adds {ids.length === 1 ? 'it' : 'them'} to the list under Labels, so you can print everything at once.
        </p>
      </div>
    </Dialog>
  )
}
