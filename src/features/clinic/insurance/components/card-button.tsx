import { Camera } from 'lucide-react'
import { useRef, useState, type ChangeEvent } from 'react'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { toBase64 } from '#src/device/scale-image.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useDraft } from '#src/sync/react/use-draft.ts'
import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { addCard, failureWords, type UnsentCard } from '../actions.ts'
import { cardPlace } from '../queries.ts'
import { scalePhoto } from '../model/scale-photo.ts'

const readKept = readAs<UnsentCard>(v.object({ id: v.string(), image: v.string() }))

/** Takes a photo of a card for a user with no time to type. This device keeps it encrypted until the server has it. */
export function CardButton({ idPatient, onAdded }: { idPatient: string; onAdded: () => void }) {
  const device = useDevice()
  const { kept, keep, forget } = useDraft(cardPlace(idPatient), readKept)
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  /** The card of this visit: null once it is sent or discarded, undefined before a photo. */
  const [taken, setTaken] = useState<{ card: UnsentCard; isKept: boolean } | null>()
  const [why, setWhy] = useState<string | null>(null)
  const unsent = taken === undefined && kept ? { card: kept, isKept: true } : taken

  async function send(card: UnsentCard) {
    setBusy(true)
    setWhy(null)
    const answer = await addCard(device, idPatient, card)
    setBusy(false)
    if (!answer.ok) return setWhy(failureWords(answer.failure))
    drop()
    showToast({ title: 'Card added', description: 'You can add the details later.', tone: 'good' })
    onAdded()
  }

  function drop() {
    setTaken(null)
    setWhy(null)
    void forget()
  }

  async function take(event: ChangeEvent<HTMLInputElement>) {
    const [file] = event.target.files ?? []
    event.target.value = ''
    if (!file) return
    setBusy(true)
    try {
      const card = { id: uuidv7(), image: toBase64(await scalePhoto(file)) }
      setTaken({ card, isKept: false })
      setTaken({ card, isKept: await keep(card) })
      await send(card)
    } catch (thrown) {
      showToast({ title: 'NOT SAVED', description: thrown instanceof Error ? thrown.message : 'Couldn’t read the photo', tone: 'bad' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Button
        busy={isBusy}
        disabled={kept === undefined || Boolean(unsent && !isBusy)}
        icon={<Camera size={18} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        Photograph card
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        aria-label="Photo of the card"
        onChange={(event) => void take(event)}
      />
      {unsent && !isBusy && (
        <div className="basis-full text-left">
          <Notice
            tone="bad"
            title="Card NOT SAVED"
            actions={
              <>
                <Button onClick={() => void send(unsent.card)}>Resend</Button>
                <Button variant="quiet" onClick={drop}>
                  Discard photo
                </Button>
              </>
            }
          >
            {why ?? 'It hasn’t been sent to the server yet.'}{' '}
            {unsent.isKept ? 'The photo is kept on this device.' : 'The photo is kept only while this page is open.'}
            <img
              src={`data:image/jpeg;base64,${unsent.card.image}`}
              alt="Unsaved card"
              className="mt-2 max-h-40 rounded-md border border-line object-contain"
            />
          </Notice>
        </div>
      )}
    </>
  )
}
