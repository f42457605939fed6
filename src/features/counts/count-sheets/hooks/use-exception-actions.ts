import { useState } from 'react'
import { decide } from '#src/features/counts/count-sheets/actions.ts'
import { verbOf, type ExceptionVerb } from '#src/features/counts/count-sheets/model/exception-verbs.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { useStores } from '#src/domain/stores/use-stores.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import type { ExceptionGroup } from '../components/decide-dialog.tsx'

export type ExceptionActions = {
  /** Null while only a user can say what to do, and offline for what needs a connection. */
  verbFor(kind: string): ExceptionVerb | null
  act(groups: readonly ExceptionGroup[]): Promise<void>
  /** The kind that is being acted on. */
  busy: string | null
  problem: { kind: string; text: string } | null
}

/** Does what the verbs of the exceptions say. A kind that fails stays undecided; the others are done. */
export function useExceptionActions(model: SheetModel): ExceptionActions {
  const device = useDevice()
  const stores = useStores()
  const online = useConnection((connection) => connection.online) !== false
  const mayTransfer = useSession((session) => session.home?.permissions.includes('frame.transfer') ?? false)
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<ExceptionActions['problem']>(null)

  const verbFor = (kind: string) => {
    const verb = verbOf(kind, mayTransfer)
    return verb?.asksStore && !online ? null : verb
  }

  async function actOn({ name, scans }: ExceptionGroup): Promise<string | null> {
    const verb = verbFor(name)
    const { sheet } = model.state.getState()
    if (!verb || !sheet) return null
    if (verb.asksStore !== null) {
      const from = stores.find(({ store_name }) => store_name === verb.asksStore)
      if (!from) return `${verb.asksStore} is not among your stores.`
      const { requestTransfer } = await import('../model/request-transfer.ts')
      const why = await requestTransfer(device, sheet, from, scans)
      if (why !== null) return why
    }
    return (await decide(model, scans, 'apply', verb.reason))?.message ?? null
  }

  async function act(groups: readonly ExceptionGroup[]) {
    setProblem(null)
    for (const group of groups) {
      setBusy(group.name)
      const text = await actOn(group)
      if (text !== null) setProblem({ kind: group.name, text })
    }
    setBusy(null)
  }

  return { verbFor, act, busy, problem }
}
