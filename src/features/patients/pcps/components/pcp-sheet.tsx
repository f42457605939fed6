import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Combine, Pencil } from 'lucide-react'
import { patientName } from '#contract/patients/patient.ts'
import { type LetterOfPcp, lettersShown } from '#contract/patients/pcp-letters.ts'
import { type Pcp, type PcpInput, pcpName } from '#contract/patients/pcp.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatDate, formatDateTime, formatNumberOf } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { SideSheet } from '#src/ui/side-sheet.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { letterWayWords } from '#src/domain/pcps/letter-way-words.ts'
import { pcpAddress, pcpLabels, pcpWordsOf } from '#src/domain/pcps/pcp-form.ts'
import { PhoneLink } from '#src/domain/phone/phone-link.tsx'
import { usePcp } from '#src/domain/pcps/queries.ts'

type Props = { row: Pcp; onClose: () => void; onEdit: (row: Pcp) => void; onMerge: (row: Pcp) => void }

/** A provider, their patients, and the letters to them. */
export function PcpSheet({ row, onClose, onEdit, onMerge }: Props) {
  const { value, failure, reload } = usePcp(row.id_pcp)
  const home = useSession((session) => session.home)
  const timeZone = home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone
  const shown = value?.pcp ?? row
  const may = (permission: 'pcp.write' | 'pcp.merge') => home?.permissions.includes(permission) === true
  const lines: [string, ReactNode][] = (['specialty', 'phone', 'fax', 'npi'] as const).map((field) => [
    pcpLabels[field],
    field === 'phone' && shown.phone ? <PhoneLink key={field} digits={shown.phone} /> : pcpWordsOf(shown as PcpInput, field),
  ])
  return (
    <SideSheet
      open
      onClose={onClose}
      title={<bdi>{pcpName(shown)}</bdi>}
      footer={
        <>
          {may('pcp.merge') && (
            <Button icon={<Combine size={18} aria-hidden />} onClick={() => onMerge(shown)}>
              Merge
            </Button>
          )}
          {may('pcp.write') && (
            <Button variant="primary" icon={<Pencil size={18} aria-hidden />} onClick={() => onEdit(shown)}>
              Edit
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-5 px-5 py-4">
        <div>
          {shown.inactive && <Badge tone="neutral">Inactive</Badge>}
          {shown.practice && <p className="font-medium wrap-anywhere">{shown.practice}</p>}
          <p className="wrap-anywhere whitespace-pre-line text-ink-2">{pcpAddress(shown) ?? 'No address'}</p>
        </div>
        <dl className="grid grid-cols-[6rem_1fr] gap-x-4 gap-y-1.5">
          {lines.map(([term, text]) => (
            <div key={term} className="contents">
              <dt className="text-ink-2">{term}</dt>
              <dd className="figures min-w-0 wrap-anywhere">{text}</dd>
            </div>
          ))}
        </dl>
        <section aria-label="Patients">
          <h3 className="mb-1 font-semibold">{formatNumberOf(shown.patients, 'patient')}</h3>
          {!value &&
            (failure ? (
              <NotLoaded failure={failure} offline="Patients are available online." onRetry={() => void reload()} />
            ) : (
              <Skeleton lines={3} height="row" />
            ))}
          {value && value.patients.length > 0 && (
            <ul className="divide-y divide-line rounded-md border border-line">
              {value.patients.map((patient) => (
                <li key={patient.id}>
                  <Link
                    to="/patient/$id_patient"
                    params={{ id_patient: patient.id }}
                    className="flex min-h-row items-center gap-3 px-3 py-1.5 hover:bg-hover focus-visible:-outline-offset-2"
                  >
                    <span className="min-w-0 flex-1 wrap-anywhere">
                      <bdi>{patientName(patient)}</bdi>
                    </span>
                    <span className="figures text-sm text-ink-3">{patient.dob && formatDate(patient.dob)}</span>
                  </Link>
                </li>
              ))}
            </ul>
          )}
          {value && value.pcp.patients > value.patients.length && (
            <p className="mt-2 text-sm text-ink-2">
              {value.patients.length === 0
                ? 'These patients belong to other stores.'
                : `And ${value.pcp.patients - value.patients.length} more.`}
            </p>
          )}
        </section>
        {value && <Letters letters={value.letters} last={value.pcp.last_letter} />}
        <p className="text-sm text-ink-3">
          Last changed by <bdi>{shown.changed_by}</bdi>, {formatDateTime(shown.changed_at, timeZone)}
        </p>
      </div>
    </SideSheet>
  )
}

function Letters({ letters, last }: { letters: readonly LetterOfPcp[]; last: string | null }) {
  return (
    <section aria-label="Letters">
      <h3 className="mb-1 font-semibold">Letters</h3>
      {letters.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line">
          {letters.map(({ id_letter, sent_on, way, rep, patient }) => (
            <li key={id_letter}>
              <Link
                to="/patient/$id_patient"
                params={{ id_patient: patient.id }}
                className="flex min-h-row items-center gap-3 px-3 py-1.5 hover:bg-hover focus-visible:-outline-offset-2"
              >
                <time dateTime={sent_on} className="figures shrink-0 text-sm text-ink-2">
                  {formatDate(sent_on)}
                </time>
                <span className="min-w-0 flex-1 wrap-anywhere">
                  <bdi>{patientName(patient)}</bdi>
                  <span className="block text-sm text-ink-2">
                    {letterWayWords[way]}, <bdi>{rep}</bdi>
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-sm text-ink-2">{lettersNote(letters.length, last)}</p>
    </section>
  )
}

function lettersNote(shown: number, last: string | null): string {
  if (last === null) return 'No letters yet'
  if (shown === 0) return `These letters are about patients of other stores. The last one is from ${formatDate(last)}.`
  return `${shown === lettersShown ? `The newest ${lettersShown}. ` : ''}Details are in the patients’ records.`
}
