import { useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { storeInvoiceEndpoints as calls, type VendorInvoice } from '#contract/receiving/store-invoices.ts'
import type { VendorInvoiceStep } from '#contract/receiving/vendor-invoice-rules.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useWaiting } from '#src/sync/react/use-waiting.ts'
import { receivedPieces, type WaitingReceived } from '#src/domain/receiving/record-received-piece.ts'
import { keptNouns } from '#src/domain/kept-stock/kept-stock.ts'
import { useRecord } from '#src/domain/kept-stock/use-record.ts'
import { useReloadWhenSent } from '#src/domain/pieces/use-reload-when-sent.ts'
import { type Asked, keepAsked, matchReceived, receivePieces, type Received, setAside, timeoutMs } from '../actions.ts'
import { inputOf } from '../model/invoice-form.ts'

/** A request like `Asked`, without an id yet. */
export type Wanted = {
  quantity?: number
  /** The name for the screen, when known. */
  name?: string
  /** A user keeps it, although the invoice differs. */
  confirmed?: boolean
} & (
  | { code: string }
  /** `learn`: the unknown UPC of the label. */
  | { id_model: number; learn?: string }
)
export type ChangedLine = {
  id_model: number
  qty_invoiced: number | null
  costs?: { list_cost: number | null; discount_pct: number | null }
}

/** A vendor's invoice, its unsent pieces on this tablet, and the calls that change it. */
export function useVendorInvoice(id: string) {
  const device = useDevice()
  const { run, remove: _, ...record } = useRecord(keptNouns.receipt, id, { timeoutMs })
  const [unconfirmed, setUnconfirmed] = useState<readonly Asked[]>([])
  const [isSending, setSending] = useState(false)
  const waiting = useWaiting(receivedPieces, id) ?? []
  useReloadWhenSent(waiting, () => {
    void record.reload()
    void device.pull()
  })
  const params = { id }

  async function send(asked: Asked): Promise<Received> {
    const received = await receivePieces(device, id, asked)
    const isUnconfirmed = received.kind === 'unconfirmed'
    setUnconfirmed((before) => [...before.filter(({ receive_id }) => receive_id !== asked.receive_id), ...(isUnconfirmed ? [asked] : [])])
    if (received.kind === 'received') record.show(received.invoice)
    return received
  }

  return {
    ...record,
    busy: record.busy || isSending,
    /** The requests that were sent and not answered. */
    unconfirmed,
    keepAsked: (piece: WaitingReceived) => keepAsked(device, piece),
    setAside: (piece: WaitingReceived) => setAside(device, piece),
    /** Reads the unsent pieces now, before the screen shows the newest. */
    waitingNow: () => receivedPieces.read(device.hot, id),
    match: (piece: WaitingReceived, id_model: number, code: string) => matchReceived(device, piece, id_model, code),
    /** The pieces received on this tablet that the server does not have yet. */
    waiting,
    receive: (wanted: Wanted) => {
      const name = wanted.name ?? ('code' in wanted ? wanted.code : `model ${wanted.id_model}`)
      return send({ receive_id: uuidv7(), ...wanted, name, quantity: wanted.quantity ?? 1, confirmed: wanted.confirmed ?? false })
    },
    sendAgain: async () => {
      setSending(true)
      for (const asked of unconfirmed) await send(asked)
      setSending(false)
    },
    changeLines: (invoice: VendorInvoice, lines: readonly ChangedLine[]) => {
      const body = { version: invoice.version, ...inputOf(invoice), lines: [...lines] }
      return run(() => device.call(calls.changeVendorInvoice, { params, body }, { timeoutMs }))
    },
    step: (version: number, step: VendorInvoiceStep, more: { note?: string; paid_on?: string; paid_reference?: string } = {}) =>
      run(() => device.call(calls.stepVendorInvoice, { params, body: { version, step, ...more } }, { timeoutMs })),
  }
}
export type OpenInvoice = ReturnType<typeof useVendorInvoice>
