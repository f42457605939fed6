import { Glasses, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Model } from '#contract/library/frame-library.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { useModelPhoto } from '#src/domain/frames/use-model-photo.ts'
import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PhotoButtons } from '#src/ui/forms/photo-buttons.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { useNear } from '#src/ui/use-near.ts'
import { putPhoto, removePhoto } from '../actions.ts'

/** The thumbnail beside a model's name in a list. A model without one, and one still loading, shows an icon. */
export function ModelThumbnail({ idPhoto }: { idPhoto: string | null }) {
  const place = useRef<HTMLSpanElement>(null)
  const isNear = useNear(place)
  const { address } = useModelPhoto(isNear ? idPhoto : null, 'small')
  return (
    <span
      ref={place}
      className="flex size-row shrink-0 items-center justify-center overflow-hidden rounded-md bg-sunken text-ink-2 @max-[26rem]/list:hidden"
    >
      {address === null ? <Glasses size={20} aria-hidden /> : <img src={address} alt="" className="size-full object-contain" />}
    </span>
  )
}

/**
 * The photo of a model, with buttons to change it for users who may. Shows nothing when there is no photo and no right.
 */
export function ModelPhoto({
  model,
  alt,
  onChanged,
}: {
  model: Pick<Model, 'id_model' | 'id_photo'>
  alt: string
  /** Null when the user may not change the photo. */
  onChanged: (() => Promise<void>) | null
}) {
  const place = useRef<HTMLElement>(null)
  if (model.id_photo === null && !onChanged) return null
  return (
    <section ref={place} tabIndex={-1} aria-label="Photo" className="flex flex-col gap-3">
      {model.id_photo === null ? (
        <p className="rounded-md border border-dashed border-line-strong px-4 py-5 text-sm text-ink-2">No photo yet</p>
      ) : (
        <Picture idPhoto={model.id_photo} alt={alt} />
      )}
      {onChanged && <PhotoChange model={model} onChanged={onChanged} onRemoved={() => place.current?.focus()} />}
    </section>
  )
}

function Picture({ idPhoto, alt }: { idPhoto: string; alt: string }) {
  const { address, failure, reload } = useModelPhoto(idPhoto, 'large')
  if (address !== null) return <img src={address} alt={alt} className="h-64 w-full rounded-md bg-sunken object-contain sm:h-80" />
  return (
    <div className="flex h-64 flex-col items-center justify-center gap-3 rounded-md bg-sunken text-ink-2 sm:h-80">
      {failure ? (
        <>
          <p>{failure.kind === 'unreachable' ? 'The photo is available online.' : 'Couldn’t load the photo.'}</p>
          <Button onClick={reload}>Try again</Button>
        </>
      ) : (
        <Skeleton height="card" />
      )}
    </div>
  )
}

function PhotoChange({
  model,
  onChanged,
  onRemoved,
}: {
  model: Pick<Model, 'id_model' | 'id_photo'>
  onChanged: () => Promise<void>
  onRemoved: () => void
}) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { id_model, id_photo } = model

  async function change(work: () => Promise<Outcome<unknown>>, done: string): Promise<boolean> {
    setBusy(true)
    setProblem(null)
    try {
      const answer = await work()
      // After a refusal the model has another photo than the user saw.
      if (answer.ok || answer.failure.kind === 'refused') await onChanged()
      if (answer.ok) showToast({ title: done, tone: 'good' })
      else setProblem(wordsOf(answer.failure))
      return answer.ok
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : 'Couldn’t read the photo')
      return false
    } finally {
      setBusy(false)
    }
  }

  async function remove(idPhoto: string) {
    // Closes the dialog first: it returns the focus before the button that opened it disappears.
    setAsking(false)
    if (await change(() => removePhoto(device, id_model, idPhoto), 'Photo removed')) onRemoved()
  }

  return (
    <>
      {isOffline && <p className="text-sm text-ink-2">You need a connection to change photos.</p>}
      <PhotoButtons
        label="Photo"
        busy={isBusy}
        disabled={isOffline}
        onPhoto={(file) => void change(() => putPhoto(device, model, file), 'Photo saved')}
      >
        {id_photo !== null && (
          <Button variant="quiet" disabled={isBusy || isOffline} icon={<Trash2 size={18} aria-hidden />} onClick={() => setAsking(true)}>
            Remove
          </Button>
        )}
      </PhotoButtons>
      {problem !== null && (
        <Notice tone="bad" title="NOT SAVED">
          {problem}
        </Notice>
      )}
      {isAsking && id_photo !== null && (
        <SureDialog
          title="Remove the photo?"
          text="It’s removed for everyone."
          yes="Remove photo"
          onYes={() => remove(id_photo)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

function wordsOf(failure: Failure): string {
  if (failure.kind === 'unreachable') return 'Couldn’t reach the server. Try again when you’re back online.'
  if (failure.kind === 'refused' && failure.code === 'photo-changed') {
    return 'Someone else changed the photo too. Theirs is shown now. Try again to replace it with yours.'
  }
  return failure.message
}
