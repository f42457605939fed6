import { Mail } from 'lucide-react'
import { useState } from 'react'
import { lettersShown, type PcpLetter } from '#contract/patients/pcp-letters.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { useBegunDrafts } from '#src/sync/react/use-draft.ts'
import { Button } from '#src/ui/button.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { formatDate } from '#src/ui/format.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { letterPlace } from './letter-draft.ts'
import { letterWayWords } from './letter-way-words.ts'
import { usePcpLetters } from './queries.ts'

const LetterDialog = fetchedDialog(async () => (await import('./letter-dialog.tsx')).LetterDialog)

/**
 * On a patient's page: the letters about them to their primary care provider. Shows nothing without a letter and a
 * provider.
 */
export function PcpLetters({ idPatient, idPcp }: { idPatient: string; idPcp: string | null }) {
  const mayWrite = useSession(({ home }) => home?.permissions.includes('patient.write')) === true
  const { value, failure, reload } = usePcpLetters(idPatient)
  const [isOpen, setOpen] = useState(false)
  const place = letterPlace(idPatient)
  const isBegun = useBegunDrafts([place], isOpen).has(place)
  const letters = value?.letters ?? []
  if (idPcp === null && letters.length === 0) return null
  return (
    <section aria-label="Letters" className="rounded-lg border border-line bg-surface p-4 lg:col-span-full">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">Letters to the primary care provider</h2>
        {mayWrite && idPcp !== null && (
          <Button icon={<Mail size={18} aria-hidden />} onClick={() => setOpen(true)}>
            {isBegun ? 'Continue the letter' : 'Log a letter'}
          </Button>
        )}
      </div>
      {!value && !failure && <Skeleton lines={2} />}
      {!value && failure && (
        <p className="text-ink-2">
          {failure.kind === 'unreachable' ? 'You’re offline. Letters are available online.' : `${failure.message}.`}
        </p>
      )}
      {value && letters.length === 0 && <p className="text-ink-2">No letters yet</p>}
      {letters.length > 0 && (
        <ul aria-label="Letters" className="divide-y divide-line">
          {letters.map((letter) => (
            <Letter key={letter.id_letter} letter={letter} />
          ))}
        </ul>
      )}
      {letters.length === lettersShown && <p className="mt-2 text-sm text-ink-2">The newest {lettersShown}.</p>}
      {isOpen && idPcp !== null && (
        <LetterDialog
          idPatient={idPatient}
          idPcp={idPcp}
          onClose={() => setOpen(false)}
          onRecorded={() => {
            setOpen(false)
            showToast({ title: 'Letter logged', tone: 'good' })
            void reload()
          }}
        />
      )}
    </section>
  )
}

function Letter({ letter: { sent_on, way, about, pcp_name, rep } }: { letter: PcpLetter }) {
  return (
    <li className="flex flex-wrap gap-x-4 gap-y-0.5 py-2 sm:flex-nowrap">
      <time dateTime={sent_on} className="figures shrink-0 text-ink-2">
        {formatDate(sent_on)}
      </time>
      <span className="min-w-0 basis-full wrap-anywhere">
        <bdi className="block">{about}</bdi>
        <span className="block text-sm text-ink-2">
          {letterWayWords[way]}, to <bdi>{pcp_name}</bdi>; logged by <bdi>{rep}</bdi>
        </span>
      </span>
    </li>
  )
}
