import { useState } from 'react'
import type { Transfer } from '#contract/transfers.ts'
import { transferEndpoints } from '#contract/transfers.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/device-context.tsx'
import { useKept } from '#src/sync/use-kept.ts'

const timeoutMs = 20_000

/** A transfer as the server has it, and what is done to it. */
export function useTransfer(id: string) {
  const device = useDevice()
  const { value, failure, reload, keptAt } = useKept(transferEndpoints.readTransfer, { params: { id_transfer: id } }, { timeoutMs })
  /** What the last deed answered. */
  const [answered, setAnswered] = useState<Transfer | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Failure | null>(null)
  const isNewer = answered?.id_transfer === id && answered.version >= (value?.version ?? 0)
  const params = { id_transfer: id }

  /** Runs one deed; what it answers is shown from then on, and returned. Null when it was not done. */
  async function run(deed: () => Promise<Outcome<Transfer>>): Promise<Transfer | null> {
    setBusy(true)
    const answer = await deed()
    setBusy(false)
    setProblem(answer.ok ? null : answer.failure)
    if (answer.ok) setAnswered(answer.value)
    // Who was first has changed it: what is there now is shown beside the refusal.
    else if (answer.failure.kind === 'refused' && answer.failure.status === 409) void reload()
    // Its pieces are frames, which this tablet mirrors.
    if (answer.ok) void device.pull()
    return answer.ok ? answer.value : null
  }

  return {
    transfer: isNewer ? answered : value,
    failure,
    keptAt,
    reload,
    busy,
    problem,
    forgetProblem: () => setProblem(null),
    change: (draft: Pick<Transfer, 'to_store_id' | 'reason' | 'note' | 'carrier' | 'tracking' | 'version'> & { items: number[] }) =>
      run(() => device.call(transferEndpoints.changeTransfer, { params, body: draft }, { timeoutMs })),
    send: (version: number) => run(() => device.call(transferEndpoints.sendTransfer, { params, body: { version } }, { timeoutMs })),
    cancel: (version: number) => run(() => device.call(transferEndpoints.cancelTransfer, { params, body: { version } }, { timeoutMs })),
    close: (version: number, discrepancy: string) =>
      run(() => device.call(transferEndpoints.closeTransfer, { params, body: { version, discrepancy } }, { timeoutMs })),
    receive: async (piece: { id_inventory: number; damaged: boolean; note: string }) => {
      let outcome: 'received' | 'here' | 'unexpected' | null = null
      const now = await run(async () => {
        const answer = await device.call(transferEndpoints.receiveTransfer, { params, body: { pieces: [piece] } }, { timeoutMs })
        if (!answer.ok) return answer
        outcome = answer.value.arrivals[0]?.outcome ?? null
        return { ok: true, value: answer.value.transfer }
      })
      return { outcome: now && outcome, now } as { outcome: 'received' | 'here' | 'unexpected' | null; now: Transfer | null }
    },
  }
}
export type OpenTransfer = ReturnType<typeof useTransfer>
