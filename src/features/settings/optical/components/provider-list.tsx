import { useCallback, useRef, useState, type FormEvent } from 'react'
import * as v from 'valibot'
import { missingNumbers, type Provider, providerEndpoints, providerNumbers } from '#contract/settings/providers.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Button } from '#src/ui/button.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { useChanges } from '#src/sync/react/use-changes.ts'

const timeoutMs = 15_000

/** License number and NPI of the doctors in the user's store. Their prescriptions print both. */
export function ProviderList({ locked, onSaved }: { locked: boolean; onSaved: () => void }) {
  const device = useDevice()
  const store = useSession((session) => session.home?.store_id)
  // Another store has other doctors.
  const load = useCallback(() => device.call(providerEndpoints.listProviders, {}, { timeoutMs }), [device, store]) // oxlint-disable-line react-hooks/exhaustive-deps
  const { value, failure, reload } = useLoaded(load)
  const here = value?.providers.filter(({ is_here }) => is_here)
  return (
    <section aria-label="Providers" className="mb-8 border-b border-line pb-8">
      <h2 className="mb-1 text-lg font-semibold">Providers</h2>
      <p className="mb-4 max-w-prose text-sm text-ink-2">
        Their license number and NPI appear on prescriptions they sign. Signed prescriptions don’t change.
      </p>
      {here ? (
        <div className="flex flex-col gap-6">
          {here.length === 0 && <p className="text-ink-2">No doctors in this store.</p>}
          {here.map((provider) => (
            <ProviderForm key={`${store} ${provider.id_user}`} stored={provider} locked={locked} onSaved={onSaved} />
          ))}
        </div>
      ) : failure ? (
        <NotLoaded
          failure={failure}
          title="Couldn’t load providers"
          offline="They’re available online. Open this page again when you’re back online."
          onRetry={() => void reload()}
        />
      ) : (
        <Skeleton lines={2} height="row" />
      )}
    </section>
  )
}

/** Keeps typed values until they are saved, also over a reload. */
function ProviderForm({ stored, locked, onSaved }: { stored: Provider; locked: boolean; onSaved: () => void }) {
  const device = useDevice()
  const [base, setBase] = useState(stored)
  const saved = { license_no: base.license_no ?? '', npi: base.npi ?? '' }
  const draft = useChanges(`own: settings provider ${stored.id_user}`, saved)
  const [problems, setProblems] = useState<Partial<Record<string, string>>>({})
  const [failure, setFailure] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)
  const place = useRef<HTMLFormElement>(null)
  const missing = missingNumbers(base)
  if (draft === null) return <Skeleton lines={2} height="row" />
  const { typed, startOver } = draft

  const change = (field: keyof typeof saved, text: string) => {
    draft.change({ [field]: text })
    setProblems({})
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    if (locked || busy) return
    const read = v.safeParse(providerNumbers, typed)
    if (!read.success) {
      setProblems(Object.fromEntries(read.issues.map((issue) => [v.getDotPath(issue) ?? '', issue.message])))
      requestAnimationFrame(() => place.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
      return
    }
    setBusy(true)
    setFailure(null)
    const request = { params: { id: String(stored.id_user) }, body: read.output }
    const answer = await device.call(providerEndpoints.changeProvider, request, { timeoutMs })
    setBusy(false)
    if (!answer.ok) return setFailure(answer.failure)
    setBase(answer.value)
    startOver()
    const title = (
      <>
        Numbers for <bdi>{answer.value.name}</bdi> saved
      </>
    )
    showToast({ title, tone: 'good' })
    onSaved()
  }

  return (
    <form ref={place} noValidate aria-label={stored.name} className="flex flex-col gap-3" onSubmit={(event) => void save(event)}>
      <h3 className="font-semibold">
        <bdi>{stored.name}</bdi>
      </h3>
      <TypedNotice of={draft} startOverLabel="Revert to saved" />
      {missing.length > 0 && <Notice tone="warn">Missing from their prescriptions: {missing.join(', ')}.</Notice>}
      {failure && (
        <Notice tone="bad" title="NOT SAVED">
          {failure.kind === 'unreachable'
            ? 'Couldn’t reach the server. Your changes are still here; save when you’re back online.'
            : `${failure.message.replace(/\.$/, '')}. Your changes are still here.`}
        </Notice>
      )}
      <div className="grid max-w-4xl items-start gap-4 sm:grid-cols-2">
        <TextField
          label="License number"
          autoComplete="off"
          maxLength={40}
          value={typed.license_no}
          disabled={locked}
          error={problems['license_no']}
          onChange={(text) => change('license_no', text)}
        />
        <TextField
          label="NPI"
          inputMode="numeric"
          figures
          autoComplete="off"
          value={typed.npi}
          disabled={locked}
          error={problems['npi']}
          onChange={(text) => change('npi', text)}
        />
      </div>
      {!locked && (
        <div>
          <Button type="submit" busy={busy}>
            Save numbers
          </Button>
        </div>
      )}
    </form>
  )
}
