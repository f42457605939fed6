import { Plus, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { type Insurance, insurancePriorities } from '#contract/insurance/insurance.ts'
import { policyState } from '#contract/insurance/insurance-benefits.ts'
import { useConnection, useSession } from '#src/sync/react/device-context.tsx'
import { useToday } from '#src/sync/react/use-today.ts'
import { useBegunDrafts } from '#src/sync/react/use-draft.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { CardButton } from './components/card-button.tsx'
import { PolicyCard } from './components/policy-card.tsx'
import { PolicyDialog } from './components/policy-dialog.tsx'
import { draftPlace, usePolicies } from './queries.ts'

type Props = {
  idPatient: string
  /** True when the address asks to add a policy. The form opens, and `onAdded` clears the address when it closes. */
  isAdding?: boolean
  onAdded?: () => void
}

/** The insurance of a patient. */
export function InsuranceScreen({ idPatient, isAdding = false, onAdded }: Props) {
  const mayChange = useSession((session) => session.home?.permissions.includes('insurance.write')) ?? false
  const isOffline = useConnection((connection) => connection.online) === false
  const { value, failure, reload } = usePolicies(idPatient)
  /** The dialog's policy. A null `policy` is a new one. */
  const [editing, setEditing] = useState<{ policy: Insurance | null } | null>(isAdding && mayChange ? { policy: null } : null)
  const [turn, setTurn] = useState(0)
  const policies = value?.insurances ?? []
  const drafts = useBegunDrafts(
    [null, ...policies.map(({ id_insurance }) => id_insurance)].map((id) => draftPlace(idPatient, id)),
    turn,
  )
  const today = useToday()
  // An ended policy makes room for another of its priority.
  const free = insurancePriorities.find(
    (priority) => !policies.some((policy) => policy.priority === priority && policyState(policy, today) !== 'ended'),
  )

  function close() {
    setEditing(null)
    setTurn(turn + 1)
    if (isAdding) onAdded?.()
  }

  const dialog = editing && (
    <PolicyDialog
      idPatient={idPatient}
      policy={editing.policy}
      freePriority={free}
      onClose={close}
      onSaved={() => {
        showToast({ title: editing.policy ? 'Policy saved' : 'Policy added', tone: 'good' })
        close()
        void reload()
      }}
    />
  )
  const add = mayChange && (
    <>
      <Button variant="primary" icon={<Plus size={18} aria-hidden />} onClick={() => setEditing({ policy: null })}>
        Add policy
      </Button>
      <CardButton idPatient={idPatient} onAdded={() => void reload()} />
    </>
  )
  const unsaved = mayChange && drafts.has(draftPlace(idPatient, null)) && (
    <Notice tone="warn" title="Unsaved policy" actions={<Button onClick={() => setEditing({ policy: null })}>Continue</Button>}>
      What you typed is still on this device.
    </Notice>
  )

  if (!value) {
    if (!failure) return <Skeleton lines={5} height="row" />
    return (
      <div className="flex flex-col gap-4">
        {unsaved}
        {add && <div className="flex flex-wrap gap-2">{add}</div>}
        <NotLoaded
          failure={failure}
          title="Couldn’t load insurance"
          offline="Insurance isn’t stored on this device. It’s available online."
          onRetry={() => void reload()}
        />
        {dialog}
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      {(isOffline || failure) && (
        <Notice tone="warn" title="No connection" actions={<Button onClick={() => void reload()}>Try again</Button>}>
          This may be out of date. What you type is kept on this device; save it when you’re back online.
        </Notice>
      )}
      {unsaved}
      {policies.length > 0 && <div className="flex flex-wrap gap-2">{add}</div>}
      {policies.length === 0 && (
        <EmptyState icon={<ShieldCheck aria-hidden />} title="No insurance on file - self-pay." action={add}>
          The patient pays in full until you add a policy.
        </EmptyState>
      )}
      {policies.map((policy) => (
        <PolicyCard
          key={policy.id_insurance}
          policy={policy}
          today={today}
          mayChange={mayChange}
          hasDraft={mayChange && drafts.has(draftPlace(idPatient, policy.id_insurance))}
          onEdit={() => setEditing({ policy })}
          onChanged={() => void reload()}
        />
      ))}
      {dialog}
    </div>
  )
}
