import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { storeInvoiceEndpoints as calls, type VendorInvoice } from '#contract/receiving/store-invoices.ts'
import type { VendorInvoiceStep } from '#contract/receiving/vendor-invoice-rules.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useWaiting } from '#src/sync/react/use-waiting.ts'
import { receivedPieces, type WaitingReceived } from '#src/domain/receiving/record-received-piece.ts'
import { keepWritten, keptNouns, questions } from '#src/domain/kept-stock/kept-stock.ts'
import { useKept } from '#src/sync/react/use-kept.ts'
import { type Asked, keepAsked, matchReceived, receivePieces, type Received, setAside, timeoutMs } from '../actions.ts'
import { inputOf } from '../model/invoice-form.ts'

/** A request like `Asked`, before it has an id. */
export type Wanted = {
  quantity?: number
  /** What people call it, where that is known. */
  name?: string
  /** A person keeps it, whatever the paper says. */
  confirmed?: boolean
} & (
  | { code: string }
  /** `learn`: the UPC of the label, which nobody knew. */
  | { id_model: number; learn?: string }
)
export type ChangedLine = {
  id_model: number
  qty_invoiced: number | null
  costs?: { list_cost: number | null; discount_pct: number | null }
}

/** A vendor's invoice as the server has it, and what is done to it. */
export function useVendorInvoice(id: string) {
  const device = useDevice()
  const { value, failure, reload, keptAt } = useKept(calls.readVendorInvoice, questions.receipt(id), { timeoutMs })
  /** What the last deed answered. */
  const [answered, setAnswered] = useState<VendorInvoice | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Failure | null>(null)
  const [unsure, setUnsure] = useState<readonly Asked[]>([])
  const waiting = useWaiting(receivedPieces, id) ?? []
  const kept = waiting.filter(({ refusal }) => refusal === null).length
  const keptBefore = useRef(0)
  const reloadNow = useEffectEvent(() => {
    void reload()
    void device.pull()
  })
  useEffect(() => {
    // What waited has reached the server, which knows now what is here.
    if (kept < keptBefore.current) reloadNow()
    keptBefore.current = kept
  }, [kept])
  const isNewer = answered?.id_vendor_invoice === id && answered.version >= (value?.version ?? 0)
  const params = { id }

  /** Runs one deed; what it answers is shown from then on. Null when it was not done. */
  async function run(deed: () => Promise<Outcome<VendorInvoice>>): Promise<VendorInvoice | null> {
    setBusy(true)
    const answer = await deed()
    setBusy(false)
    setProblem(answer.ok ? null : answer.failure)
    if (answer.ok) show(answer.value)
    // Who was first has changed it: what is there now is shown beside the refusal.
    else if (answer.failure.kind === 'refused' && answer.failure.status === 409) void reload()
    return answer.ok ? answer.value : null
  }
  function show(invoice: VendorInvoice) {
    setAnswered(invoice)
    // On a full disk it is shown all the same; it is only not there without a connection.
    keepWritten(device, keptNouns.receipt, invoice).catch(() => undefined)
    // Its pieces are frames, which this tablet mirrors.
    void device.pull()
  }

  async function send(asked: Asked): Promise<Received> {
    const received = await receivePieces(device, id, asked)
    const isUnsure = received.kind === 'unsure'
    setUnsure((before) => [...before.filter(({ receive_id }) => receive_id !== asked.receive_id), ...(isUnsure ? [asked] : [])])
    if (received.kind === 'received') show(received.invoice)
    return received
  }

  return {
    invoice: isNewer ? answered : value,
    failure,
    keptAt,
    reload,
    busy,
    problem,
    forgetProblem: () => setProblem(null),
    show,
    /** What was sent and not answered. */
    unsure,
    keepAsked: (piece: WaitingReceived) => keepAsked(device, piece),
    setAside: (piece: WaitingReceived) => setAside(device, piece),
    /** What waits at this moment, which the screen may not show yet. */
    waitingNow: () => receivedPieces.read(device.hot, id),
    match: (piece: WaitingReceived, id_model: number, code: string) => matchReceived(device, piece, id_model, code),
    /** What was received on this tablet and has not reached the server. */
    waiting,
    receive: (wanted: Wanted) => {
      const name = wanted.name ?? ('code' in wanted ? wanted.code : `model ${wanted.id_model}`)
      return send({ receive_id: uuidv7(), ...wanted, name, quantity: wanted.quantity ?? 1, confirmed: wanted.confirmed ?? false })
    },
    sendAgain: async () => {
      setBusy(true)
      for (const asked of unsure) await send(asked)
      setBusy(false)
    },
    changeLines: (invoice: VendorInvoice, lines: readonly ChangedLine[]) =>
      run(() =>
        device.call(
          calls.changeVendorInvoice,
          { params, body: { version: invoice.version, ...inputOf(invoice), lines: [...lines] } },
          { timeoutMs },
        ),
      ),
    step: (version: number, step: VendorInvoiceStep, more: { note?: string; paid_on?: string; paid_reference?: string } = {}) =>
      run(() => device.call(calls.stepVendorInvoice, { params, body: { version, step, ...more } }, { timeoutMs })),
  }
}
export type OpenInvoice = ReturnType<typeof useVendorInvoice>
