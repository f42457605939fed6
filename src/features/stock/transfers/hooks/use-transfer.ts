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

/** A transfer as the server has it, with what waits on this tablet for it, and the steps that change it. */
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

  /** What waits at this moment, which the screen may not show yet; before it, what was sent and has not been told back. */
  async function waitingNow(): Promise<WaitingTransfer[]> {
    const here = await transferWork.read(device.hot, id)
    return [...waiting.filter((one) => !here.some((other) => other.id === one.id)), ...here]
  }
  const isBehind = async () => (await waitingNow()).some(({ refusal }) => refusal === null)

  /** Sending again settles what was refused before: no user has to discard it in the sync center. */
  async function settleRefused(): Promise<void> {
    for (const { id: refusedId, kind } of refused) {
      const reason = kind === 'transfer.send' ? 'Sent again' : 'Transfer sent without it'
      // When it has left the queue, there is nothing to settle.
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
    /** The transfer at this moment, with what the last scan made of it. */
    newest: async (): Promise<ShownTransfer | undefined> => shownTransfer(record.now(), await waitingNow(), known),
    /** What the server refused of what waited. A transfer that has left needs none of it any more. */
    refused: transfer?.status === 'draft' ? refused : [],
    /** Whether a piece waits on this tablet to leave with another transfer. */
    leavesWithAnother: async (id_inventory: number) =>
      (await transferWork.read(device.hot)).some(
        ({ kind, body, refusal }) =>
          kind === 'transfer.send' && refusal === null && body.id_transfer !== id && body.items.includes(id_inventory),
      ),
    /** Puts a piece on the draft, or takes it off. */
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
     * Receives a piece. Without a connection a command of its own puts it into stock, which ends its transit.
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
 * What waits on this tablet for a transfer. What has reached the server counts as waiting until `reload` has told how the transfer stands, so
 * that nothing is gone from the screen in between.
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
