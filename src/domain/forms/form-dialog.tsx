import { useState, type ReactNode } from 'react'
import type { DraftPlace } from '#src/sync/device/drafts.ts'
import { useChanges } from '#src/sync/react/use-changes.ts'
import { Button } from '#src/ui/button.tsx'
import { DateField, incompleteDate } from '#src/ui/forms/date-field.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField, type TextFieldProps } from '#src/ui/forms/text-field.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { KeptForm, type NotDone } from './kept-form.tsx'

/** The form's values as the body to send, or the problems by field. */
export type Read<F, B> = { ok: true; body: B } | { ok: false; problems: Partial<Record<keyof F & string, string>> }

/** The server's refusal, as far as a form needs it. */
type Failure =
  | { kind: 'unreachable' | 'signed-out'; message: string }
  | {
      kind: 'refused'
      code: string
      message: string
      fields: readonly { path: string; message: string }[]
      details: Record<string, unknown>
    }
type Sent<R> = { ok: true; value: R } | { ok: false; failure: Failure }

type Texts<F> = Record<keyof F & string, string>
export type Fields<F> = {
  form: Texts<F>
  text: (field: keyof F & string, label: string, more?: Partial<TextFieldProps>) => ReactNode
  date: (field: keyof F & string, label: string) => ReactNode
  choice: (field: keyof F & string, label: string, options: readonly { value: string; label: string }[], placeholder?: string) => ReactNode
}

export type FormDialogProps<F, B, R, I extends Record<string, string>> = {
  /** The place that keeps the text until it is saved. */
  place: DraftPlace
  title: string
  description?: string
  /** While there is no connection, why the form cannot be saved. */
  offline: string | null
  first: Texts<F>
  /** Made for this form. `send` gets the same ones again when the form is sent after a reload. */
  ids?: I
  saveLabel?: string
  read: (form: Texts<F>) => Read<F, B>
  send: (body: B, ids: I) => Promise<Sent<R>>
  onSaved: (value: R) => void
  onClose: () => void
  /** Another user saved first. The next save builds on their values, which `theirs` turns into texts of this form. */
  conflict?: { code: string; theirs: (now: unknown) => Texts<F> }
  children: (fields: Fields<F>) => ReactNode
}

/**
 * A dialog that saves a form of texts at the server. It keeps typed text, and says what to do when another user saved
 * first.
 */
export function FormDialog<F, B, R, I extends Record<string, string> = Record<string, string>>(props: FormDialogProps<F, B, R, I>) {
  const { offline, conflict } = props
  const [saved, setSaved] = useState(props.first)
  const [theirs, setTheirs] = useState<Texts<F> | null>(null)
  const draft = useChanges<Texts<F>>(props.place, saved, props.ids)
  if (draft === null) return null
  const { ids, startOver } = draft

  /** An incomplete date needs no words here: its field shows the problem. */
  function check(form: Texts<F>) {
    if (Object.values(form).includes(incompleteDate)) return { [incompleteDate]: '' }
    const read = props.read(form)
    return read.ok ? {} : read.problems
  }

  async function send(form: Texts<F>): Promise<NotDone | null> {
    const read = props.read(form)
    if (!read.ok) return { fields: read.problems }
    setTheirs(null)
    const answer = await props.send(read.body, ids as I)
    if (answer.ok) {
      await draft?.forget()
      props.onSaved(answer.value)
      return null
    }
    const { failure } = answer
    if (failure.kind === 'refused' && conflict?.code === failure.code) {
      setTheirs(conflict.theirs(failure.details['now']))
      return {}
    }
    const text = failure.kind === 'unreachable' ? 'You’re offline. Save when you’re back online.' : `${failure.message}.`
    const found = failure.kind === 'refused' ? failure.fields : []
    return {
      title: 'NOT SAVED',
      text,
      fields: Object.fromEntries(found.map(({ path, message }) => [path.split('.').at(-1) ?? path, message])),
    }
  }

  return (
    <KeptForm
      draft={draft}
      size="lg"
      title={props.title}
      description={props.description}
      save={props.saveLabel ?? 'Save'}
      disabled={offline !== null}
      check={check}
      send={send}
      onDone={props.onClose}
      onClose={props.onClose}
    >
      {({ typed: form, problems, change }) => {
        const put = (field: string) => (value: string) => change({ [field]: value } as Partial<Texts<F>>)
        return (
          <>
            {offline !== null && <Notice tone="warn">{offline}</Notice>}
            {theirs && (
              <Notice
                tone="warn"
                title="Someone else edited this too"
                actions={
                  <>
                    <Button
                      onClick={() => {
                        startOver()
                        setSaved(theirs)
                        setTheirs(null)
                      }}
                    >
                      Use theirs
                    </Button>
                    <Button onClick={() => setTheirs(null)}>Keep mine</Button>
                  </>
                }
              >
                Nothing was overwritten.
              </Notice>
            )}
            {props.children({
              form,
              text: (field, label, more) => (
                <TextField
                  label={label}
                  autoComplete="off"
                  spellCheck={false}
                  value={form[field]}
                  onChange={put(field)}
                  error={problems[field]}
                  {...more}
                />
              ),
              date: (field, label) => (
                <DateField label={label} autoComplete="off" value={form[field]} onChange={put(field)} error={problems[field]} />
              ),
              choice: (field, label, options, placeholder) => (
                <SelectField
                  label={label}
                  options={options}
                  value={form[field]}
                  onChange={put(field)}
                  error={problems[field]}
                  {...(placeholder !== undefined && { placeholder, required: true })}
                />
              ),
            })}
          </>
        )
      }}
    </KeptForm>
  )
}
