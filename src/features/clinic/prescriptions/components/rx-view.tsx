import type { ReactNode } from 'react'
import type { Prescription } from '#contract/rx/prescription.ts'
import { inNotation } from '#contract/rx/rx-rules.ts'
import type { CylinderNotation } from '#contract/settings/settings.ts'
import { useStoreZone } from '#src/sync/react/use-store-zone.ts'
import { DrawnSignature } from '#src/ui/drawn-signature.tsx'
import { formatDate } from '#src/ui/format.ts'
import { hasCylinder, rxFacts } from '../model/rx-facts.ts'
import { notationWords } from '../words.ts'
import { RxPowers } from './rx-powers.tsx'

type RxViewProps = { rx: Prescription; notation: CylinderNotation; providerName: string | null; today: string; children: ReactNode }

/** A prescription to read. */
export function RxView({ rx: stored, notation, providerName, today, children }: RxViewProps) {
  const rx = inNotation(stored, notation)
  const timeZone = useStoreZone()
  return (
    <div className="flex flex-col gap-4">
      <RxPowers rx={rx} />
      {hasCylinder(rx) && <p className="-mt-2 text-sm text-ink-2">{notationWords[notation]}</p>}
      {children}
      <dl className="grid grid-cols-[minmax(8rem,auto)_1fr] gap-x-4 gap-y-1.5">
        {rxFacts(rx, providerName, today).map(([label, text]) => (
          <div key={label} className="contents">
            <dt className="text-ink-2">{label}</dt>
            <dd className="min-w-0 break-words whitespace-pre-line">
              <bdi>{text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {rx.signature && (
        <div>
          {rx.signature.kind === 'drawn' ? (
            <DrawnSignature strokes={rx.signature.strokes} />
          ) : (
            <p className="text-lg italic">
              <bdi>{rx.signature.name}</bdi>
            </p>
          )}
          <p className="text-sm text-ink-2">
            Signed by <bdi>{rx.signed_by}</bdi> on {rx.signed_at && formatDate(rx.signed_at, timeZone)}
          </p>
        </div>
      )}
    </div>
  )
}
