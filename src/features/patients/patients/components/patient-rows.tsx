import { ChevronRight } from 'lucide-react'
import type { ComponentType, KeyboardEvent, ReactNode } from 'react'
import { type ListedPatient, patientLine } from '../model/patient-line.ts'
import { PatientBadges, type UnsentState } from './patient-badges.tsx'

export type PatientRow = ListedPatient & { unsent?: UnsentState }

/** A link to a patient's page. */
export type PatientLinkProps = {
  id: string
  className: string
  onKeyDown: (event: KeyboardEvent<HTMLAnchorElement>) => void
  onClick: (() => void) | undefined
  children: ReactNode
}

/** A list of patients. The arrow keys move between them; Up on the first one calls `onUp`. */
export function PatientRows({
  label,
  rows,
  today,
  digits = null,
  Link,
  onUp,
  onOpen,
}: {
  label: string
  rows: readonly PatientRow[]
  today: string
  /** The digits of a phone number that was searched. */
  digits?: string | null
  Link: ComponentType<PatientLinkProps>
  onUp?: () => void
  onOpen?: () => void
}) {
  function onKeyDown(event: KeyboardEvent<HTMLAnchorElement>) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const links = [...(event.currentTarget.closest('ul')?.querySelectorAll('a') ?? [])]
    if (step === 0) return
    const at = links.indexOf(event.currentTarget) + step
    event.preventDefault()
    if (at < 0) onUp?.()
    else links[at]?.focus()
  }

  return (
    <ul aria-label={label} className="divide-y divide-line">
      {rows.map((row) => {
        const { name, priority, details, number } = patientLine(row, today, digits)
        return (
          <li key={row.id}>
            <Link
              id={row.id}
              onKeyDown={onKeyDown}
              onClick={onOpen}
              className="flex min-h-tall items-center gap-3 px-4 py-2 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1">
                <span className="flex flex-wrap items-center gap-2">
                  <strong className="min-w-0 font-semibold wrap-anywhere">
                    <bdi>{name}</bdi>
                  </strong>
                  <PatientBadges inactive={row.inactive} priority={priority} unsent={row.unsent} />
                </span>
                <span className="block text-sm text-ink-2">{details}</span>
              </span>
              {number && <span className="figures text-sm text-ink-3">{number}</span>}
              <ChevronRight size={18} aria-hidden className="shrink-0 text-ink-3" />
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
