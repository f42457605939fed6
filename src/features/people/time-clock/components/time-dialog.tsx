import { revalidateLogic, useForm } from '@tanstack/react-form'
import { useState, type ReactNode } from 'react'
import * as v from 'valibot'
import { instantOfLocal, localDateTime } from '#contract/people/time-clock.ts'
import type { Failure } from '#src/api/outcome.ts'
import { correctionForm, reasonForm } from '#src/features/people/time-clock/form.ts'
import type { DraftPlace } from '#src/sync/device/drafts.ts'
import { readAs } from '#src/sync/device/read-as.ts'
import { type Typed, useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DiscardButton } from '#src/ui/forms/discard-button.tsx'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'

export type Person = { id_user: number; name: string; store_name: string }

export type TimeDialogProps = {
  place: DraftPlace
  title: string
  description: ReactNode
  /** The label of the button that submits. */
  act: string
  danger?: boolean
  timeZone: string
  now: number
  /** The initial values of the time fields, or null when the time does not change. */
  time: { direction: 'in' | 'out'; at: number; directionFixed?: boolean } | null
  /** The people to choose from, or null when the person is known. */
  people: readonly Person[] | null
  onClose: () => void
  /** Returns null on success. On a failure the dialog stays, with the typed values. */
  onSubmit: (given: { reason: string; direction: 'in' | 'out'; at: string; id_user: number | null }) => Promise<Failure | null>
}

const shape = v.object({ direction: v.picklist(['in', 'out']), at: v.string(), reason: v.string(), person: v.string() })
type TypedTime = v.InferOutput<typeof shape>
const readTime = readAs(shape)

/** Asks for the reason of a change to someone's time, and for the new time and person where needed. */
export function TimeDialog(props: TimeDialogProps) {
  const { place, time, now, timeZone } = props
  const [fresh] = useState<TypedTime>(() => ({
    direction: time?.direction ?? 'in',
    at: localDateTime(time?.at ?? now, timeZone),
    reason: '',
    person: '',
  }))
  const draft = useTyped(place, fresh, readTime)
  if (draft.typed === null) return null
  // Starting over drops the draft, and the new key resets the form.
  return <OpenDialog key={draft.former === null ? 'new' : 'kept'} {...props} draft={draft} start={draft.typed} />
}

function OpenDialog({
  title,
  description,
  act,
  danger = false,
  timeZone,
  now,
  time,
  people,
  onClose,
  onSubmit,
  draft,
  start,
}: TimeDialogProps & { draft: Typed<TypedTime>; start: TypedTime }) {
  const [failure, setFailure] = useState<Failure | null>(null)
  const schema: v.GenericSchema<TypedTime, unknown> = v.object({
    ...(time ? correctionForm(timeZone, now) : v.object({ ...shape.entries, ...reasonForm.entries })).entries,
    person: people === null ? v.string() : v.pipe(v.string(), v.nonEmpty('Choose whose punch this is')),
  })
  const form = useForm({
    defaultValues: start,
    listeners: { onChange: ({ formApi }) => draft.change(formApi.state.values) },
    validationLogic: revalidateLogic(),
    validators: { onDynamic: schema },
    onSubmit: async ({ value }) => {
      setFailure(null)
      const at = new Date(time ? instantOfLocal(value.at, timeZone) : now).toISOString()
      const given = {
        reason: value.reason.trim(),
        direction: value.direction,
        at,
        id_user: value.person === '' ? null : Number(value.person),
      }
      const refused = await onSubmit(given)
      if (refused) return setFailure(refused)
      await draft.forget()
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={title} description={description} closeOnOutside={false}>
      <form
        noValidate
        aria-label={title}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void form.handleSubmit()
        }}
      >
        <TypedNotice of={draft} />
        {failure && (
          <Notice tone="bad" title="Nothing changed">
            {failure.kind === 'unreachable' ? 'Couldn’t reach the server. Try again when you’re back online.' : failure.message}
          </Notice>
        )}
        {people !== null && (
          <form.Field name="person">
            {(field) => (
              <SelectField
                label="Whose punch is it?"
                placeholder="Choose a person"
                required
                value={field.state.value}
                onChange={field.handleChange}
                options={people.map((one) => ({ value: String(one.id_user), label: `${one.name} (${one.store_name})` }))}
                error={field.state.meta.errors[0]?.message}
              />
            )}
          </form.Field>
        )}
        {time && !time.directionFixed && (
          <form.Field name="direction">
            {(field) => (
              <RadioGroup
                label="They were clocking"
                look="cards"
                columns={2}
                value={field.state.value}
                onChange={field.handleChange}
                options={[
                  { value: 'in', label: 'In' },
                  { value: 'out', label: 'Out' },
                ]}
              />
            )}
          </form.Field>
        )}
        {time && (
          <form.Field name="at">
            {(field) => (
              <TextField
                label="Time"
                type="datetime-local"
                hint={`Store time (${timeZone})`}
                required
                figures
                value={field.state.value}
                onChange={field.handleChange}
                error={field.state.meta.errors[0]?.message}
              />
            )}
          </form.Field>
        )}
        <form.Field name="reason">
          {(field) => (
            <TextArea
              label="Reason"
              hint="Saved with the entry. The person can see it."
              required
              maxLength={500}
              value={field.state.value}
              onChange={field.handleChange}
              error={field.state.meta.errors[0]?.message}
            />
          )}
        </form.Field>
        <form.Subscribe selector={(state) => state.isSubmitting}>
          {(submitting) => (
            <div className="flex flex-wrap justify-end gap-2">
              <DiscardButton forget={draft.forget} onClose={onClose}>
                Cancel
              </DiscardButton>
              <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={submitting}>
                {act}
              </Button>
            </div>
          )}
        </form.Subscribe>
      </form>
    </Dialog>
  )
}
