import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react'
import type { Typed } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog, type DialogProps } from '#src/ui/dialog.tsx'
import { DiscardButton } from '#src/ui/forms/discard-button.tsx'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { Notice } from '#src/ui/notice.tsx'

export type Problems = Partial<Record<string, string>>

/** Why something was not done: in words, or at its fields. */
export type NotDone = string | { title?: string; text?: ReactNode; fields?: Problems }

export type KeptFields<T> = {
  typed: T
  /** The problems by field, from the last try. */
  problems: Problems
  /** @param mended the fields whose problems are cleared; by default the changed fields */
  change: (changes: Partial<T>, mended?: readonly string[]) => void
}

export type KeptFormProps<T> = Pick<DialogProps, 'title' | 'description' | 'size' | 'role'> & {
  /** The draft from `useTyped` or `useChanges`. */
  draft: Pick<Typed<T>, 'typed' | 'isLost' | 'change' | 'forget' | 'startOver'> & { former: unknown }
  /** Label of the button that leaves the form and discards the text. Without it the button is `Close`, and the text stays for the next time. */
  cancel?: string | undefined
  save: string
  danger?: boolean
  disabled?: boolean
  /** Returns the problems by field. Called when the user saves. */
  check?: (typed: T) => Problems
  send: (typed: T) => Promise<NotDone | null>
  /** Called after sending, when the draft is gone. */
  onDone: () => void
  onClose: () => void
  children: (form: KeptFields<T>) => ReactNode
}

const firstInvalid = ':is(input, textarea, select, button)[aria-invalid=true], [aria-invalid=true] input'

/** A dialog with a form. Its text survives a reload until it is saved or discarded. */
export function KeptForm<T extends object>(props: KeptFormProps<T>) {
  const { draft, title, save, cancel, danger = false, disabled = false, onClose } = props
  const formId = useId()
  const element = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<Problems>({})
  const [notDone, setNotDone] = useState<Exclude<NotDone, string> | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { typed } = draft
  if (typed === null) return null
  const now = typed

  function show(found: Problems) {
    setProblems(found)
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>(firstInvalid)?.focus())
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy || disabled) return
    setNotDone(null)
    const found = props.check?.(now) ?? {}
    if (Object.keys(found).length > 0) return show(found)
    setBusy(true)
    const answer = await props.send(now)
    setBusy(false)
    if (answer !== null) {
      const why = typeof answer === 'string' ? { text: answer } : answer
      setNotDone(why.title === undefined && why.text === undefined ? null : why)
      return show(why.fields ?? {})
    }
    await draft.forget()
    props.onDone()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      title={title}
      description={props.description}
      size={props.size ?? 'md'}
      role={props.role ?? 'dialog'}
      footer={
        <>
          {cancel === undefined ? (
            <Button onClick={onClose}>Close</Button>
          ) : (
            <DiscardButton forget={draft.forget} onClose={onClose}>
              {cancel}
            </DiscardButton>
          )}
          <Button type="submit" form={formId} variant={danger ? 'danger' : 'primary'} busy={isBusy} disabled={disabled}>
            {save}
          </Button>
        </>
      }
    >
      <form
        ref={element}
        id={formId}
        noValidate
        aria-label={typeof title === 'string' ? title : undefined}
        className="flex flex-col gap-4"
        onSubmit={(event) => void submit(event)}
      >
        <TypedNotice of={draft} />
        {notDone && (
          <Notice tone="bad" title={notDone.title}>
            {notDone.text}
          </Notice>
        )}
        {props.children({
          typed,
          problems,
          change(changes, mended = Object.keys(changes)) {
            draft.change({ ...typed, ...changes })
            setProblems((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !mended.includes(field))))
          },
        })}
      </form>
    </Dialog>
  )
}
