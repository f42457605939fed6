import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '#src/ui/button.tsx'
import { DateField, incompleteDate } from './date-field.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from './select-field.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'

/** What the fields of a form hold, as it is sent; or what is wrong with which of them. */
export type Read<F, B> = { ok: true; body: B } | { ok: false; problems: Partial<Record<keyof F & string, string>> }

/** How the server refused, as far as a form can tell. */
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

export type FormDialogProps<F, B, R> = {
  title: string
  description?: string
  /** Why it cannot be saved without a connection, while there is none. */
  offline: string | null
  first: Texts<F>
  /** Told of every change, to keep it. */
  onTyped?: (form: Texts<F>) => void
  saveLabel?: string
  read: (form: Texts<F>) => Read<F, B>
  send: (body: B) => Promise<Sent<R>>
  onSaved: (value: R) => void
  onClose: () => void
  /** When someone else was first: what is there now becomes what the next save is based on, and is given as the form would hold it. */
  conflict?: { code: string; theirs: (now: unknown) => Texts<F> }
  children: (fields: Fields<F>) => ReactNode
}

/** A dialog that saves a form at the server: fields with what is wrong with them, and what to do when somebody was first. */
export function FormDialog<F, B, R>(props: FormDialogProps<F, B, R>) {
  const { title, description, offline, saveLabel = 'Save', onClose, children } = props
  const formId = useId()
  const element = useRef<HTMLFormElement>(null)
  const [form, setForm] = useState(props.first)
  const [problems, setProblems] = useState<Partial<Record<string, string>>>({})
  const [failure, setFailure] = useState<Failure | null>(null)
  const [theirs, setTheirs] = useState<Texts<F> | null>(null)
  const [isBusy, setBusy] = useState(false)

  function put(next: Texts<F>) {
    setForm(next)
    props.onTyped?.(next)
  }
  function change(field: string, value: string) {
    put({ ...form, [field]: value })
    setProblems(({ [field]: _mended, ...others }) => others)
  }
  function show(found: Partial<Record<string, string>>) {
    setProblems(found)
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    // The field says so itself.
    if (Object.values(form).includes(incompleteDate)) return show({})
    const read = props.read(form)
    if (!read.ok) return show(read.problems)
    setBusy(true)
    setFailure(null)
    setTheirs(null)
    const answer = await props.send(read.body)
    setBusy(false)
    if (answer.ok) {
      props.onSaved(answer.value)
      onClose()
      return
    }
    const refused = answer.failure.kind === 'refused' ? answer.failure : null
    if (refused && props.conflict?.code === refused.code) return setTheirs(props.conflict.theirs(refused.details['now']))
    setFailure(answer.failure)
    if (refused) show(Object.fromEntries(refused.fields.map(({ path, message }) => [path.split('.').at(-1) ?? path, message])))
  }

  const fields: Fields<F> = {
    form,
    text: (field, label, more) => (
      <TextField
        label={label}
        autoComplete="off"
        spellCheck={false}
        value={form[field]}
        onChange={(value) => change(field, value)}
        error={problems[field]}
        {...more}
      />
    ),
    date: (field, label) => (
      <DateField label={label} autoComplete="off" value={form[field]} onChange={(value) => change(field, value)} error={problems[field]} />
    ),
    choice: (field, label, options, placeholder) => (
      <SelectField
        label={label}
        options={options}
        value={form[field]}
        onChange={(value) => change(field, value)}
        error={problems[field]}
        {...(placeholder !== undefined && { placeholder, required: true })}
      />
    ),
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={title}
      description={description}
      closeOnOutside={false}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form={formId} variant="primary" busy={isBusy} disabled={offline !== null}>
            {saveLabel}
          </Button>
        </>
      }
    >
      <form
        ref={element}
        id={formId}
        noValidate
        aria-label={title}
        className="flex flex-col gap-4"
        onSubmit={(event) => void submit(event)}
      >
        {offline !== null && <Notice tone="warn">{offline}</Notice>}
        {theirs && (
          <Notice
            tone="warn"
            title="Someone else edited this too"
            actions={
              <>
                <Button
                  onClick={() => {
                    put(theirs)
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
        {failure && (
          <Notice tone="bad" title="NOT SAVED">
            {failure.kind === 'unreachable' ? 'You’re offline. Save when you’re back online.' : `${failure.message}.`}
          </Notice>
        )}
        {children(fields)}
      </form>
    </Dialog>
  )
}
