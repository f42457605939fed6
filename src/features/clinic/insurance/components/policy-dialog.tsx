import { useRef, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import type { Insurance, InsurancePriority } from '#contract/insurance/insurance.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { failureWords, savePolicy } from '../actions.ts'
import { formOf, newForm, type PolicyForm, type Problems, readForm } from '../form.ts'
import { draftPlace, useInsuranceLists } from '../queries.ts'
import { PhotoField } from './photo-field.tsx'
import { PolicyFields } from './policy-fields.tsx'

type PolicyDialogProps = {
  idPatient: string
  /** Null for a new policy. */
  policy: Insurance | null
  freePriority: InsurancePriority | undefined
  onClose: () => void
  onSaved: (policy: Insurance) => void
}

/** The draft on this device. Another version may have saved another shape. A draft that does not fit is dropped. */
type Draft = { id: string; version: number | null; form: PolicyForm }
const draftShape = v.looseObject({
  id: v.string(),
  version: v.nullable(v.number()),
  form: v.looseObject({ company: v.string(), money: v.looseObject({}) }),
})

function readDraft(given: unknown): Draft | null {
  return v.is(draftShape, given) ? (given as unknown as Draft) : null
}

/**
 * Adds or changes a policy. This device keeps the typed fields until they are saved or discarded, also over a reload.
 */
export function PolicyDialog({ idPatient, policy, freePriority, onClose, onSaved }: PolicyDialogProps) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const lists = useInsuranceLists()
  const [fresh] = useState<Draft>(() => ({
    id: uuidv7(),
    version: policy?.version ?? null,
    form: policy ? formOf(policy) : newForm(freePriority),
  }))
  const draft = useTyped(draftPlace(idPatient, policy?.id_insurance ?? null), fresh, readDraft)
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  if (draft.typed === null) return null
  const { id, version, form } = draft.typed

  function change(next: PolicyForm) {
    // The server may already have the former policy, so the changed one gets a new id.
    draft.change({ id: uuidv7(), version, form: next })
    setFailure(null)
  }

  /** @param against the version that the user changed, or null to overwrite any other change */
  async function save(against = version) {
    const read = readForm(form, idPatient)
    if ('problems' in read) return show(read.problems)
    setProblems({})
    setFailure(null)
    setBusy(true)
    const answer = await savePolicy(device, read.input, form, policy ? { id_insurance: policy.id_insurance, version: against } : { id })
    setBusy(false)
    if (!answer.ok) {
      setFailure(answer.failure)
      if (answer.failure.kind === 'refused') {
        show(Object.fromEntries(answer.failure.fields.map(({ path, message }) => [path.replace(/^body\./, ''), message])))
      }
      return
    }
    await draft.forget()
    onSaved(answer.value)
  }

  function show(found: Problems) {
    setProblems(found)
    // The wrong field may be far from the button.
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }

  async function discard() {
    await draft.forget()
    onClose()
  }

  const isOvertaken = failure?.kind === 'refused' && failure.code === 'insurance-changed'
  const count = Object.keys(problems).length
  return (
    <Dialog
      open
      onClose={onClose}
      size="xl"
      closeOnOutside={false}
      title={policy ? 'Edit policy' : 'Add policy'}
      footer={
        <>
          <div className="basis-full empty:hidden">
            {failure && (
              <Notice
                tone="bad"
                title="NOT SAVED"
                actions={isOvertaken && <Button onClick={() => void save(null)}>Save mine anyway</Button>}
              >
                {failure.kind === 'unreachable'
                  ? 'Couldn’t reach the server. What you typed is still here; save it when you’re back online.'
                  : failureWords(failure)}
              </Notice>
            )}
            {count > 0 && !failure && <Notice tone="bad" title={`Fix ${formatNumberOf(count, 'field')} to save`} />}
          </div>
          {draft.typed !== fresh && (
            <Button variant="quiet" onClick={() => void discard()}>
              Discard
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" busy={isBusy} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <div ref={body} className="flex flex-col gap-4">
        <TypedNotice of={draft} />
        {isOffline && (
          <Notice tone="warn" title="No connection">
            You need a connection to save. Until then, what you type stays on this device.
          </Notice>
        )}
        <PolicyFields form={form} problems={problems} lists={lists} onChange={change} />
        <section aria-label="Card" className="grid gap-4 sm:grid-cols-2">
          {(['front_photo', 'back_photo'] as const).map((side) => (
            <PhotoField
              key={side}
              label={side === 'front_photo' ? 'Front of the card' : 'Back of the card'}
              photo={form[side]}
              isKept={typeof policy?.[side] === 'string'}
              error={problems[side]}
              onChange={(photo) => change(withPhoto(form, side, photo))}
            />
          ))}
        </section>
      </div>
    </Dialog>
  )
}

function withPhoto(form: PolicyForm, side: 'front_photo' | 'back_photo', photo: string | null | undefined): PolicyForm {
  const { [side]: _before, ...rest } = form
  return photo === undefined ? rest : { ...rest, [side]: photo }
}
