import { revalidateLogic, useForm, useStore } from '@tanstack/react-form'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import * as v from 'valibot'
import type { InventorySettings } from '#contract/settings/settings.ts'
import type { Failure } from '#src/api/outcome.ts'
import { saveSettings } from '#src/features/settings/inventory/actions.ts'
import { formOf, readSettingsForm, sameSettings, settingsForm } from '#src/features/settings/inventory/form.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useDraft } from '#src/sync/react/use-draft.ts'
import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { SaveBar } from '#src/ui/forms/save-bar.tsx'
import { Switch } from '#src/ui/forms/switch.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { ControlTable, presetNames } from './control-table.tsx'

export type SettingsFormProps = {
  /** The server's present settings. They change under the form when another user saves. */
  current: InventorySettings
  /** Why the settings cannot be changed now, in two words and in a sentence. Null when they can. */
  locked: { short: string; reason: string } | null
}

/** The form of the settings. Typed values stay until the user saves or discards them. */
export function SettingsForm({ current, locked }: SettingsFormProps) {
  const device = useDevice()
  /** The initial values of the form. A difference from them is unsaved. */
  const [base, setBase] = useState(current)
  const [failure, setFailure] = useState<Failure | null>(null)
  const draft = useDraft('own: settings inventory', readSettingsForm)
  const place = useRef<HTMLFormElement>(null)

  const form = useForm({
    defaultValues: formOf(base),
    listeners: { onChange: ({ formApi }) => void (formApi.state.isDefaultValue ? draft.forget() : draft.keep(formApi.state.values)) },
    validationLogic: revalidateLogic(),
    validators: { onDynamic: settingsForm },
    // The first problem may be far from the button.
    onSubmitInvalid: () => requestAnimationFrame(() => place.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()),
    onSubmit: async ({ value }) => {
      setFailure(null)
      const settings = v.parse(settingsForm, value)
      const refused = await saveSettings(device, settings)
      setFailure(refused)
      if (refused) return
      void draft.forget()
      setBase(settings)
    },
  })
  const isChanged = useStore(form.store, (state) => !state.isDefaultValue)
  const isSaving = useStore(form.store, (state) => state.isSubmitting)
  const preset = useStore(form.store, (state) => state.values.control_preset)
  const isOvertaken = !sameSettings(current, base)

  // Another user's change is applied at once, unless something is typed here.
  if (isOvertaken && !isChanged && !isSaving) setBase(current)
  useEffect(() => form.reset(formOf(base)), [form, base])
  const { kept } = draft
  useEffect(() => {
    if (!kept || form.state.isTouched) return
    for (const [field, value] of Object.entries(kept)) form.setFieldValue(field as keyof typeof kept, value)
  }, [form, kept])

  function discard() {
    setFailure(null)
    void draft.forget()
    setBase(current)
    form.reset(formOf(current))
  }

  return (
    <form
      ref={place}
      noValidate
      aria-label="Inventory settings"
      className="flex flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (locked === null) void form.handleSubmit()
      }}
    >
      <div className="flex flex-1 flex-col gap-8 pb-6">
        {locked !== null && <Notice tone="neutral">{locked.reason}</Notice>}
        <Section title="Inventory control" lead="Which of the seven actions are available for each frame status.">
          <form.Field name="control_preset">
            {(field) => (
              <RadioGroup
                label="Rules"
                hideLabel
                look="cards"
                columns={2}
                value={field.state.value}
                onChange={field.handleChange}
                options={[
                  {
                    value: 'practice',
                    label: presetNames.practice,
                    hint: 'For everyday use: a frame for sale can break, go missing or go back to the vendor, and a missing frame can be found.',
                    disabled: locked !== null,
                  },
                  {
                    value: 'specification',
                    label: presetNames.specification,
                    hint: 'The sets listed in the specification. You can’t mark a frame for sale as broken or missing by hand.',
                    disabled: locked !== null,
                  },
                ]}
              />
            )}
          </form.Field>
          <div className="grid gap-4 2xl:grid-cols-2">
            <ControlTable preset="practice" inUse={base.control_preset === 'practice'} />
            <ControlTable preset="specification" inUse={base.control_preset === 'specification'} />
          </div>
          {preset !== base.control_preset && (
            <p className="text-sm text-ink-2">{presetNames[preset]} takes effect for everyone in this store when you save.</p>
          )}
        </Section>

        <Section title="Counting" lead="How counts start in this store, and when closing shows a warning.">
          <div className="max-w-xl">
            <form.Field name="blind_counts">
              {(field) => (
                <Switch
                  label="Count blind"
                  hint="New counts hide expected quantities from counters until closed. A manager can change this for each count."
                  checked={field.state.value}
                  onChange={field.handleChange}
                  disabled={locked !== null}
                />
              )}
            </form.Field>
          </div>
          <div className="grid max-w-3xl gap-5 sm:grid-cols-2">
            <form.Field name="coverage_percent">
              {(field) => (
                <TextField
                  label="Coverage, percent"
                  hint="Closing shows a warning below this share of expected frames. From 50 to 100."
                  inputMode="numeric"
                  figures
                  maxLength={3}
                  autoComplete="off"
                  value={field.state.value}
                  onChange={field.handleChange}
                  disabled={locked !== null}
                  error={field.state.meta.errors[0]?.message}
                />
              )}
            </form.Field>
            <form.Field name="scan_gap_ms">
              {(field) => (
                <TextField
                  label="Scanner pace, milliseconds"
                  hint="The longest average time between characters that counts as a scan. From 10 to 120. Raise it for a slow scanner."
                  inputMode="numeric"
                  figures
                  maxLength={3}
                  autoComplete="off"
                  value={field.state.value}
                  onChange={field.handleChange}
                  disabled={locked !== null}
                  error={field.state.meta.errors[0]?.message}
                />
              )}
            </form.Field>
          </div>
        </Section>
      </div>
      <SaveBar state={isSaving ? 'saving' : isChanged ? 'changed' : 'saved'} locked={locked?.short ?? null} onDiscard={discard}>
        {failure && (
          <Notice tone="bad" title="NOT SAVED">
            {failure.kind === 'unreachable'
              ? 'Couldn’t reach the server. Your changes are still here; save when you’re back online.'
              : `${failure.message.replace(/\.$/, '')}. Your changes are still here.`}
          </Notice>
        )}
        {isOvertaken && isChanged && !isSaving && (
          <Notice tone="warn" title="Someone else edited these settings too" actions={<Button onClick={discard}>Show theirs</Button>}>
            Saving replaces theirs with yours.
          </Notice>
        )}
      </SaveBar>
    </form>
  )
}

function Section({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      <div>
        <h2 className="text-lg font-semibold">{title}</h2>
        <p className="text-ink-2">{lead}</p>
      </div>
      {children}
    </section>
  )
}
