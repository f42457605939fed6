import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { gtin14 } from '#contract/codes.ts'
import { storeInvoiceEndpoints as calls, type VendorInvoice } from '#contract/store-invoices.ts'
import type { VendorInvoiceStep } from '#contract/vendor-invoice-rules.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import { useConnection, useDevice } from '#src/sync/device-context.tsx'
import { keepReceivedPiece, useWaitingReceived, type WaitingReceived } from '#src/sync/keep-received-piece.ts'
import { useKept } from '#src/sync/use-kept.ts'
import { inputOf } from './invoice-form.ts'

const timeoutMs = 20_000

/** What is received: by a label, or a model that was chosen. Under its id it is received once. */
type Asked = { receive_id: string; quantity: number; name: string } & ({ code: string } | { id_model: number; learn?: string })
/** A request like `Asked`, before it has an id. */
export type Wanted = { quantity?: number; /** What people call it, where that is known. */ name?: string } & (
  | { code: string }
  /** `learn`: the UPC of the label, which nobody knew. */
  | { id_model: number; learn?: string }
)
export type Received =
  | { kind: 'received'; name: string; tags: string[]; warning: string | null }
  | { kind: 'refused'; failure: Extract<Failure, { kind: 'refused' }> }
  /** It waits on this tablet. The server may have it already, and then does nothing. */
  | { kind: 'kept' }
  /** It could not even be written down, and nobody knows whether it arrived: it can be sent again as it is. */
  | { kind: 'unsure'; message: string }

export type ChangedLine = {
  id_model: number
  qty_invoiced: number | null
  costs?: { list_cost: number | null; discount_pct: number | null }
}

/** A vendor's invoice as the server has it, and what is done to it. */
export function useVendorInvoice(id: string) {
  const device = useDevice()
  const { value, failure, reload, keptAt } = useKept(calls.readVendorInvoice, { params: { id } }, { timeoutMs })
  /** What the last deed answered. */
  const [answered, setAnswered] = useState<VendorInvoice | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Failure | null>(null)
  const [unsure, setUnsure] = useState<readonly Asked[]>([])
  const isOffline = useConnection((connection) => connection.online) === false
  const waiting = useWaitingReceived(id) ?? []
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
    // Its pieces are frames, which this tablet mirrors.
    void device.pull()
  }

  /** A delivery comes where the internet does not: what is scanned waits on this tablet. Why it does not, or null. */
  async function keep(asked: Asked): Promise<string | null> {
    const { receive_id, quantity, name } = asked
    const what =
      'code' in asked
        ? { code: asked.code, id_model: null, learn: null }
        : { code: null, id_model: asked.id_model, learn: asked.learn ?? null }
    const title = `Received: ${quantity === 1 ? '' : `${quantity} × `}${name}`
    return await keepReceivedPiece(device, { id_vendor_invoice: id, receive_id, quantity, ...what }, title)
  }

  async function send(asked: Asked): Promise<Received> {
    const { name: _, ...body } = asked
    const answer = isOffline ? null : await device.call(calls.receivePieces, { params, body }, { timeoutMs })
    if (!answer || (!answer.ok && answer.failure.kind !== 'refused')) {
      const message = await keep(asked)
      setUnsure((before) => [...before.filter(({ receive_id }) => receive_id !== asked.receive_id), ...(message === null ? [] : [asked])])
      return message === null ? { kind: 'kept' } : { kind: 'unsure', message }
    }
    const { ok } = answer
    setUnsure((before) => before.filter(({ receive_id }) => receive_id !== asked.receive_id))
    if (!ok) return { kind: 'refused', failure: answer.failure as Extract<Failure, { kind: 'refused' }> }
    const { pieces, warning, vendor_invoice } = answer.value
    show(vendor_invoice)
    const [first] = pieces
    const name = first ? `${first.frame.brand_name} ${first.frame.title_product}` : 'The piece'
    return { kind: 'received', name, tags: pieces.map(({ frame }) => frame.sku), warning }
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
    /** What the server did not know is of this model: received as it was scanned, and its UPC is remembered. */
    match: async ({ id: command, body }: WaitingReceived, id_model: number, code: string) => {
      await device.outbox.correct(command, { ...body, code: null, id_model, learn: gtin14(code) === null ? null : code })
    },
    /** What was received on this tablet and has not reached the server. */
    waiting,
    receive: (wanted: Wanted) => {
      const name = wanted.name ?? ('code' in wanted ? wanted.code : `model ${wanted.id_model}`)
      return send({ receive_id: uuidv7(), ...wanted, name, quantity: wanted.quantity ?? 1 })
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
