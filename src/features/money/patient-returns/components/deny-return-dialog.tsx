import { type PatientReturn, patientReturnEndpoints } from '#contract/returns/patient-returns.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { FormDialog } from '#src/domain/forms/form-dialog.tsx'
import type { DecisionDialogProps } from './confirm-return-dialog.tsx'

type Form = { reason: string }

/** Denies the return. It asks for a reason, because the patient will. */
export function DenyReturnDialog({ back, offline, onDecided, onStale, onClose }: DecisionDialogProps) {
  const device = useDevice()
  return (
    <FormDialog<Form, Form, PatientReturn>
      place={`patient: denial of return ${back.return_id}`}
      title="Deny return"
      description="The patient keeps the items. This is final."
      offline={offline}
      first={{ reason: '' }}
      saveLabel="Deny"
      read={({ reason }) =>
        reason.trim() === '' ? { ok: false, problems: { reason: 'This field is required' } } : { ok: true, body: { reason } }
      }
      send={async (body) => {
        const answer = await device.call(patientReturnEndpoints.denyPatientReturn, {
          params: { id: back.return_id },
          body: { ...body, version: back.version },
        })
        if (!answer.ok && answer.failure.kind === 'refused' && answer.failure.status === 409) onStale()
        return answer
      }}
      onSaved={onDecided}
      onClose={onClose}
    >
      {({ text }) => text('reason', 'Reason', { required: true, maxLength: 500 })}
    </FormDialog>
  )
}
