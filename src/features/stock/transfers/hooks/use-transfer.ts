import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Frame } from '#contract/stock/frame.ts'
import { type Arrival, type Transfer, transferEndpoints } from '#contract/stock/transfers.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { frameChanges, recordFrameState } from '#src/domain/frames/record-frame-state.ts'
import { keptNouns } from '#src/domain/kept-stock/kept-stock.ts'
import { useRecord } from '#src/domain/kept-stock/use-record.ts'
import { useStores } from '#src/domain/stores/use-stores.ts'
import { recordTransferPut, recordTransferSend, transferWork, type WaitingTransfer } from '#src/domain/transfers/record-transfer.ts'
import { act, type Acted, type KeptBecause } from '#src/sync/device/act.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useWaiting } from '#src/sync/react/use-waiting.ts'
import { type ShownTransfer, shownTransfer } from '../model/waiting-transfer.ts'

const timeoutMs = 20_000
type Piece = { id_inventory: number; damaged: boolean; note: string }

/** A transfer from the server, with its unsent work on this tablet, and the calls that change it. */
export function useTransfer(id: string) {
  const device = useDevice()
  const record = useRecord(keptNouns.transfer, id, { timeoutMs })
  const { run, reload } = record
  const stores = useStores()
  const params = { id_transfer: id }
  const waiting = useFollowed(id, async () => {
    await reload()
    void device.pull()
  })
  const known = {
    frameOf: (number: number) => device.frames.get(number),
    storeName: (number: number) => stores.find(({ store_id }) => store_id === number)?.store_name ?? `Store ${number}`,
  }
  const transfer = shownTransfer(record.value, waiting, known)
  const refused = waiting.filter(({ refusal }) => refusal !== null)

  /** Reads the unsent work now, before the screen shows it. Also holds sent work whose result is not loaded yet. */
  async function waitingNow(): Promise<WaitingTransfer[]> {
    const here = await transferWork.read(device.hot, id)
    return [...waiting.filter((one) => !here.some((other) => other.id === one.id)), ...here]
  }
  const isBehind = async () => (await waitingNow()).some(({ refusal }) => refusal === null)

  /** Discards refused work after a new send, so that nobody has to do it in the sync center. */
  async function settleRefused(): Promise<void> {
    for (const { id: refusedId, kind } of refused) {
      const reason = kind === 'transfer.send' ? 'Sent again' : 'Transfer sent without it'
      // It may have left the queue meanwhile.
      await device.outbox.discard(refusedId, reason).catch(() => undefined)
    }
  }

  /** Runs a step that cannot wait on this tablet. */
  const runNow = (call: () => Promise<Outcome<Transfer>>) =>
    run(async () => {
      const answer = await call()
      const hasEnded = device.session.state.getState().ended !== null
      if (answer.ok || answer.failure.kind !== 'signed-out' || !hasEnded) return answer
      return { ok: false, failure: { kind: 'signed-out', message: 'Sign in, then try again' } } as const
    })

  return {
    ...record,
    transfer,
    /** Returns the present transfer, with the result of the last scan. */
    newest: async (): Promise<ShownTransfer | undefined> => shownTransfer(record.now(), await waitingNow(), known),
    /** The refused work of a draft. A transfer that was sent does not need it any more. */
    refused: transfer?.status === 'draft' ? refused : [],
    /** Returns true when this piece waits on this tablet to leave with another transfer. */
    leavesWithAnother: async (id_inventory: number) =>
      (await transferWork.read(device.hot)).some(
        ({ kind, body, refusal }) =>
          kind === 'transfer.send' && refusal === null && body.id_transfer !== id && body.items.includes(id_inventory),
      ),
    /** Adds a piece to the draft, or removes it. */
    async put(now: ShownTransfer, piece: Frame, on: boolean): Promise<Acted<Transfer>> {
      const { to_store_id, reason, note, carrier, tracking, version } = now
      const others = now.lines.map(({ frame }) => frame.id_inventory).filter((other) => other !== piece.id_inventory)
      const items = [...others, ...(on ? [piece.id_inventory] : [])]
      const body = { to_store_id, reason, note, carrier, tracking, version, items }
      const behind = await isBehind()
      return await run(() =>
        act(device, {
          live: () => device.call(transferEndpoints.changeTransfer, { params, body }, { timeoutMs }),
          record: () => recordTransferPut(device, id, piece, on),
          isBehind: behind,
        }),
      )
    },
    async send(now: ShownTransfer): Promise<void> {
      const items = now.lines.map(({ frame }) => frame.id_inventory)
      const body = { version: now.version }
      const behind = await isBehind()
      const { ok } = await run(() =>
        act(device, {
          live: () => device.call(transferEndpoints.sendTransfer, { params, body }, { timeoutMs }),
          record: () => recordTransferSend(device, id, items, now.to_store),
          isBehind: behind,
        }),
      )
      if (ok) await settleRefused()
    },
    cancel: (version: number) => runNow(() => device.call(transferEndpoints.cancelTransfer, { params, body: { version } }, { timeoutMs })),
    close: (version: number, discrepancy: string) =>
      runNow(() => device.call(transferEndpoints.closeTransfer, { params, body: { version, discrepancy } }, { timeoutMs })),
    /**
     * Receives a piece. Without a connection a command puts it into stock, which ends its transit.
     * The outcome is null when nothing was done.
     */
    async receive({ id_inventory, damaged, note }: Piece): Promise<{ outcome: Arrival['outcome'] | null; kept: KeptBecause | null }> {
      const arrival: { outcome: Arrival['outcome'] | null } = { outcome: null }
      const acted: Acted<Transfer> = await run(() =>
        act(device, {
          async live() {
            const body = { pieces: [{ id_inventory, damaged, note }] }
            const answer = await device.call(transferEndpoints.receiveTransfer, { params, body }, { timeoutMs })
            if (!answer.ok) return answer
            arrival.outcome = answer.value.arrivals[0]?.outcome ?? null
            return { ok: true, value: answer.value.transfer }
          },
          async record() {
            const now = shownTransfer(record.now(), [], known)
            const line = now?.lines.find(({ frame }) => frame.id_inventory === id_inventory)
            const changes = await frameChanges.read(device.hot, id_inventory)
            const isHere = line?.state !== 'in transit' || changes.some(({ refusal }) => refusal === null)
            arrival.outcome = line ? (isHere ? 'here' : 'received') : 'unexpected'
            if (!now || !line || isHere) return null
            const seen = { id_inventory, sku: line.frame.sku, status: 'ICT' as const, store_id: now.to_store_id }
            return await recordFrameState(device, seen, damaged ? 'state_defective' : 'state_in_stock', note)
          },
        }),
      )
      return { outcome: acted.ok ? arrival.outcome : null, kept: acted.ok && 'kept' in acted ? acted.kept : null }
    },
  }
}
export type OpenTransfer = ReturnType<typeof useTransfer>

/**
 * Returns the unsent work of a transfer on this tablet.
 * Sent work counts as unsent until `reload` has loaded its result. Otherwise it would disappear in between.
 */
function useFollowed(id: string, reload: () => Promise<void>): readonly WaitingTransfer[] {
  const all = useWaiting(transferWork, id)
  const [waiting, setWaiting] = useState<readonly WaitingTransfer[]>([])
  const newest = useRef(0)
  const follow = useEffectEvent(async (now: readonly WaitingTransfer[]) => {
    newest.current += 1
    const mine = newest.current
    if (now.length < waiting.length) await reload()
    if (newest.current === mine) setWaiting(now)
  })
  useEffect(() => {
    if (all) void follow(all)
  }, [all])
  return waiting
}
