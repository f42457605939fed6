import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { decideHeldWork, type Decision } from '../actions.ts'
import type { HeldGroup } from '../model/held-groups.ts'

type DialogProps = { group: HeldGroup; decision: Decision; onClose: () => void; onDecided: (count: number) => void }

/** Applies or discards held work. Asks for a reason, which the server keeps. */
export function DecideDialog({ group, decision, onClose, onDecided }: DialogProps) {
  const device = useDevice()
  const isApplying = decision === 'apply'
  const verb = isApplying ? 'Apply' : 'Discard'

  async function decide(reason: string) {
    const outcome = await decideHeldWork(device, group.commands, decision, reason)
    if ('problem' in outcome) return { title: outcome.title, text: outcome.problem }
    onDecided(outcome.decided)
    return null
  }

  return (
    <SureDialog
      title={`${verb} ${formatNumberOf(group.commands.length, 'item')} from “${group.author}”?`}
      text={
        <p>
          {isApplying ? (
            <>
              It counts as done by <bdi>{group.author}</bdi>. The server records that you applied it, and why.
            </>
          ) : (
            <>
              It isn’t done. The server keeps the work and a record that you discarded it, and why. The tablet shows{' '}
              <bdi>{group.author}</bdi> that it was discarded.
            </>
          )}
        </p>
      }
      reason={{ place: `own: ${decision} ${group.commands[0]?.id ?? ''}`, label: 'Reason', max: 500, required: true }}
      yes={verb}
      no="Cancel"
      danger={!isApplying}
      onYes={decide}
      onClose={onClose}
    />
  )
}
