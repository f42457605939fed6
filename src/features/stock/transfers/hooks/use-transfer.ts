import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Frame } from '#contract/stock/frame.ts'
import { type Transfer, transferEndpoints } from '#contract/stock/transfers.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import {
  keepTransferPut,
  keepTransferSend,
  readWaitingTransfers,
  useWaitingTransfers,
  type WaitingTransfer,
} from '#src/domain/transfers/keep-transfer.ts'
import { keepWritten, keptNouns, questions } from '#src/domain/kept-stock/kept-stock.ts'
import { useCutOff } from '#src/sync/react/use-cut-off.ts'
import { useKept } from '#src/sync/react/use-kept.ts'
import { useStores } from '#src/domain/stores/use-stores.ts'
import { listed, type ShownTransfer, shownTransfer } from '../model/waiting-transfer.ts'

const timeoutMs = 20_000

/** A transfer as the server has it, with what waits on this tablet for it, and what is done to it. */
export function useTransfer(id: string) {
  const device = useDevice()
  const { value, failure, reload, keptAt } = useKept(transferEndpoints.readTransfer, questions.transfer(id), { timeoutMs })
  /** What the last step answered. */
  const [answered, setAnswered] = useState<Transfer | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Failure | null>(null)
  const isNewer = answered?.id_transfer === id && answered.version >= (value?.version ?? 0)
  const params = { id_transfer: id }
  const isOffline = useCutOff() !== null
  const stores = useStores()
  const waiting = useFollowed(id, async () => {
    await reload()
    void device.pull()
  })
  const transfer = shownTransfer(isNewer ? answered : value, waiting, {
    frameOf: (number) => device.frames.get(number),
    storeName: (number) => stores.find(({ store_id }) => store_id === number)?.store_name ?? `Store ${number}`,
  })
  // What waits would be overtaken by a call.
  const isWritten = isOffline || waiting.some(({ refusal }) => refusal === null)

  /**
   * Runs one step, shows what it answers, and returns it. Null when it was refused, `signed-out` when the session has ended: the
   * server has refused it then, and it can be written down here.
   */
  async function tryStep(step: () => Promise<Outcome<Transfer>>): Promise<Transfer | 'signed-out' | null> {
    setBusy(true)
    const answer = await step()
    setBusy(false)
    if (!answer.ok && answer.failure.kind === 'signed-out' && device.session.state.getState().ended !== null) return 'signed-out'
    setProblem(answer.ok ? null : answer.failure)
    if (answer.ok) {
      setAnswered(answer.value)
      // On a full disk it is shown all the same; it is only not there without a connection.
      keepWritten(device, keptNouns.transfer, answer.value).catch(() => undefined)
    }
    // Who was first has changed it: what is there now is shown beside the refusal.
    else if (answer.failure.kind === 'refused' && answer.failure.status === 409) void reload()
    // Its pieces are frames, which this tablet mirrors.
    if (answer.ok) void device.pull()
    return answer.ok ? answer.value : null
  }

  const refused = waiting.filter(({ refusal }) => refusal !== null)

  /** What was refused before is settled by sending again: nobody has to give it up in the sync center. */
  async function settleRefused(): Promise<void> {
    for (const { id: refusedId, kind } of refused) {
      const reason = kind === 'transfer.send' ? 'Sent again' : 'Transfer sent without it'
      // When it has left the queue, there is nothing to settle.
      await device.outbox.discard(refusedId, reason).catch(() => undefined)
    }
  }

  async function run(step: () => Promise<Outcome<Transfer>>): Promise<Transfer | null> {
    const made = await tryStep(step)
    if (made !== 'signed-out') return made
    setProblem({ kind: 'signed-out', message: 'Sign in, then try again' })
    return null
  }

  /** Written down on this tablet: why it could not be, which is shown, or null. */
  async function write(writing: Promise<string | null>): Promise<string | null> {
    const message = await writing
    setProblem(message === null ? null : { kind: 'unreachable', message })
    return message
  }

  return {
    transfer,
    /** What the server refused of what waited. A transfer that has left needs none of it any more. */
    refused: transfer?.status === 'draft' ? refused : [],
    /** Whether a piece waits on this tablet to leave with another transfer. */
    leavesWithAnother: async (id_inventory: number) =>
      (await readWaitingTransfers(device.hot)).some(
        ({ kind, body, refusal }) =>
          kind === 'transfer.send' && refusal === null && body.id_transfer !== id && body.items.includes(id_inventory),
      ),
    failure,
    keptAt,
    reload,
    busy,
    problem,
    forgetProblem: () => setProblem(null),
    /** Puts a piece on the draft, or takes it off. What the draft is from then on; null when it was not done, which is shown then. */
    put: async (now: ShownTransfer, piece: Frame, on: boolean): Promise<ShownTransfer | null> => {
      const others = now.lines.filter(({ frame }) => frame.id_inventory !== piece.id_inventory)
      const putHere = async () => {
        const message = await write(keepTransferPut(device, id, piece, on))
        return message === null ? { ...now, lines: on ? [...others, listed(piece)] : others } : null
      }
      if (isWritten) return await putHere()
      const { to_store_id, reason, note, carrier, tracking, version } = now
      const items = [...others.map(({ frame }) => frame.id_inventory), ...(on ? [piece.id_inventory] : [])]
      const body = { to_store_id, reason, note, carrier, tracking, version, items }
      const made = await tryStep(() => device.call(transferEndpoints.changeTransfer, { params, body }, { timeoutMs }))
      if (made === 'signed-out') return await putHere()
      return made && { ...made, waits: now.waits }
    },
    send: async (now: ShownTransfer): Promise<void> => {
      const body = { version: now.version }
      const made = isWritten
        ? 'signed-out'
        : await tryStep(() => device.call(transferEndpoints.sendTransfer, { params, body }, { timeoutMs }))
      if (made === null) return
      if (made !== 'signed-out') return await settleRefused()
      const items = now.lines.map(({ frame }) => frame.id_inventory)
      if ((await write(keepTransferSend(device, id, items, now.to_store))) === null) await settleRefused()
    },
    cancel: (version: number) => run(() => device.call(transferEndpoints.cancelTransfer, { params, body: { version } }, { timeoutMs })),
    close: (version: number, discrepancy: string) =>
      run(() => device.call(transferEndpoints.closeTransfer, { params, body: { version, discrepancy } }, { timeoutMs })),
    receive: async (piece: { id_inventory: number; damaged: boolean; note: string }) => {
      let outcome: 'received' | 'here' | 'unexpected' | null = null
      const now = await tryStep(async () => {
        const answer = await device.call(transferEndpoints.receiveTransfer, { params, body: { pieces: [piece] } }, { timeoutMs })
        if (!answer.ok) return answer
        outcome = answer.value.arrivals[0]?.outcome ?? null
        return { ok: true, value: answer.value.transfer }
      })
      if (now === 'signed-out') return now
      return { outcome: now && outcome, now } as { outcome: 'received' | 'here' | 'unexpected' | null; now: Transfer | null }
    },
  }
}
export type OpenTransfer = ReturnType<typeof useTransfer>

/**
 * What waits on this tablet for a transfer. What has reached the server counts as waiting until `reload` has told how the transfer stands, so
 * that nothing is gone from the screen in between.
 */
function useFollowed(id: string, reload: () => Promise<void>): readonly WaitingTransfer[] {
  const all = useWaitingTransfers()
  const [waiting, setWaiting] = useState<readonly WaitingTransfer[]>([])
  const newest = useRef(0)
  const follow = useEffectEvent(async (now: readonly WaitingTransfer[]) => {
    newest.current += 1
    const mine = newest.current
    if (now.length < waiting.length) await reload()
    if (newest.current === mine) setWaiting(now)
  })
  useEffect(() => {
    if (all) void follow(all.filter(({ body }) => body.id_transfer === id))
  }, [all, id])
  return waiting
}
