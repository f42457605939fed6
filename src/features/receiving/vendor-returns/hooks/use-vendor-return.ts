import { useState } from 'react'
import { type VendorReturn, vendorReturnEndpoints, type VendorReturnStepInput } from '#contract/returns/vendor-returns.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { forgetKept, keepWritten, keptNouns, questions } from '#src/domain/kept-stock/kept-stock.ts'
import { useKept } from '#src/sync/react/use-kept.ts'

const timeoutMs = 20_000

/** A return as the server has it, and what is done to it. */
export function useVendorReturn(id: string) {
  const device = useDevice()
  const params = { id }
  const { value, failure, reload, keptAt } = useKept(vendorReturnEndpoints.readVendorReturn, questions.vendorReturn(id), { timeoutMs })
  /** What the last deed answered. */
  const [answered, setAnswered] = useState<VendorReturn | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Failure | null>(null)
  const isNewer = answered !== null && answered.version >= (value?.version ?? 0)

  function take<T>(answer: Outcome<T>): void {
    // Who was first has changed it: what is there now is shown beside the refusal.
    if (!answer.ok && answer.failure.kind === 'refused' && answer.failure.status === 409) void reload()
    // Its pieces are frames, which this tablet mirrors.
    if (answer.ok) void device.pull()
  }

  function show(now: VendorReturn): void {
    setAnswered(now)
    // On a full disk it is shown all the same; it is only not there without a connection.
    keepWritten(device, keptNouns.vendorReturn, now).catch(() => undefined)
  }

  return {
    back: isNewer ? answered : value,
    failure,
    keptAt,
    reload,
    busy,
    problem,
    forgetProblem: () => setProblem(null),
    /** What stands on it; null when it was not saved, which is shown then. */
    async change(now: VendorReturn, items: number[]): Promise<VendorReturn | null> {
      setBusy(true)
      const { reason, note, version } = now
      const body = { reason, note, items, version }
      const answer = await device.call(vendorReturnEndpoints.changeVendorReturn, { params, body }, { timeoutMs })
      setBusy(false)
      setProblem(answer.ok ? null : answer.failure)
      if (answer.ok) show(answer.value)
      take(answer)
      return answer.ok ? answer.value : null
    },
    /** The next step; a dialog shows why it was refused. */
    async step(version: number, given: VendorReturnStepInput): Promise<Outcome<VendorReturn>> {
      const answer = await device.call(vendorReturnEndpoints.stepVendorReturn, { params, body: { version, do: given } }, { timeoutMs })
      if (answer.ok) show(answer.value)
      take(answer)
      return answer
    },
    async remove(version: number): Promise<boolean> {
      setBusy(true)
      const query = { version: String(version) }
      const answer = await device.call(vendorReturnEndpoints.deleteVendorReturn, { params, query }, { timeoutMs })
      setBusy(false)
      setProblem(answer.ok ? null : answer.failure)
      if (answer.ok) await forgetKept(device, keptNouns.vendorReturn, id).catch(() => undefined)
      take(answer)
      return answer.ok
    },
  }
}
export type OpenReturn = ReturnType<typeof useVendorReturn>
