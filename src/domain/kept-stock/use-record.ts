import { useRef, useState } from 'react'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import { forgetKept, keepWritten, type Noun } from '#src/domain/kept-stock/kept-stock.ts'
import type { Acted } from '#src/sync/device/act.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useKept } from '#src/sync/react/use-kept.ts'

type Versioned = Record<string, unknown> & { version: number }

/** A record of the server on its own page: its present value, and the steps that change it. */
export function useRecord<T extends Versioned>(noun: Noun<T>, id: string, { timeoutMs }: { timeoutMs: number }) {
  const device = useDevice()
  const loaded = useKept(noun.endpoint, noun.question(id) as never, { timeoutMs })
  const { failure, reload, keptAt } = loaded
  const value = loaded.value as T | undefined
  /** The answer to the last step. A scan may need it before the page renders again. */
  const [answered, setAnswered] = useState<T | null>(null)
  const answeredNow = useRef<T | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Failure | null>(null)

  const newer = (answer: T | null): T | undefined =>
    answer && noun.idOf(answer) === id && answer.version >= (value?.version ?? 0) ? answer : value

  /** Shows the server's answer to a step, and keeps it for times without a connection. */
  function show(now: T): void {
    answeredNow.current = now
    setAnswered(now)
    // A full disk only costs the offline copy.
    keepWritten(device, noun, now).catch(() => undefined)
    // Its pieces are frames, which this tablet mirrors.
    void device.pull()
  }

  async function perform<A extends Acted<unknown>>(call: () => Promise<A>, quiet: boolean): Promise<A> {
    if (!quiet) setBusy(true)
    const answer = await call()
    const failed = answer.ok ? null : answer.failure
    if (!quiet) {
      setBusy(false)
      setProblem(failed)
    }
    // Another user was faster: the page shows the present record beside the refusal.
    if (failed?.kind === 'refused' && failed.status === 409) void reload()
    return answer
  }

  return {
    value: newer(answered),
    /** The newest value. The page may not show it yet. */
    now: () => newer(answeredNow.current),
    keptAt,
    failure,
    reload,
    busy,
    /** Why the last step was not done. */
    problem,
    forgetProblem: () => setProblem(null),
    show,
    /** Runs one step and shows its answer. With `quiet`, a dialog shows the progress and the refusal. */
    run: async <A extends Acted<T>>(call: () => Promise<A>, { quiet = false } = {}): Promise<A> => {
      const answer = await perform(call, quiet)
      const acted: Acted<T> = answer
      if (acted.ok && 'value' in acted) show(acted.value)
      return answer
    },
    /** Deletes the record. Returns true when it is gone. */
    remove: async (call: () => Promise<Outcome<unknown>>): Promise<boolean> => {
      const { ok } = await perform(call, false)
      if (!ok) return false
      await forgetKept(device, noun, id).catch(() => undefined)
      void device.pull()
      return true
    },
  }
}
