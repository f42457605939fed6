import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { eyes, type Prescription } from '#contract/rx/prescription.ts'
import { inNotation } from '#contract/rx/rx-rules.ts'
import type { CylinderNotation } from '#contract/settings/settings.ts'
import { prescriberLines } from '../model/rx-text.ts'
import { eyeWords, kindWords, notationWords, shownValue, statusOn } from '../words.ts'
import { headerOf } from './rx-fields.ts'
import { RxPowers } from './rx-powers.tsx'
import { DrawnSignature } from './signature-pad.tsx'

const hasCylinder = (rx: Prescription) => rx.rx_kind === 'spectacle' && eyes.some((eye) => rx[eye].cylinder !== null)

type RxViewProps = { rx: Prescription; notation: CylinderNotation; providerName: string | null; today: string; onPaper?: boolean }

/** A prescription to read. */
export function RxView({ rx: stored, notation, providerName, today, onPaper = false, children }: RxViewProps & { children?: ReactNode }) {
  const rx = inNotation(stored, notation)
  const facts = headerOf(rx.rx_kind)
    .map(([field, label]) => [label, shownValue(field, rx[field])] as const)
    .filter(([label, text]) => text !== null && !(label === 'Balance lens' && text === 'None'))
  return (
    <div className="flex flex-col gap-4">
      <RxPowers rx={rx} onPaper={onPaper} />
      {hasCylinder(rx) && <p className="-mt-2 text-sm text-ink-2">{notationWords[notation]}</p>}
      {children}
      <dl className="grid grid-cols-[minmax(8rem,auto)_1fr] gap-x-4 gap-y-1.5">
        {[
          ['Kind', kindWords[rx.rx_kind]] as const,
          ['Provider', providerName && <bdi key="provider">{providerName}</bdi>] as const,
          ...facts,
        ].map(
          ([label, text]) =>
            text && (
              <div key={label} className="contents">
                <dt className="text-ink-2">{label}</dt>
                <dd className="min-w-0 break-words whitespace-pre-line">{text}</dd>
              </div>
            ),
        )}
        <dt className="text-ink-2">Status</dt>
        <dd>{statusOn(today, rx)}</dd>
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
            Signed by <bdi>{rx.signed_by}</bdi> on {rx.signed_at?.slice(0, 10)}
          </p>
        </div>
      )}
    </div>
  )
}

/** The same on paper. It prints this instead of the page, without the internal notes. */
export function PrintedRx({ patient, storeName, ...view }: RxViewProps & { patient: string; storeName: string }) {
  const { rx, notation, today } = view
  const other = notation === 'minus' ? 'plus' : 'minus'
  const turned = inNotation(rx, other)
  return createPortal(
    <section className="printed-list" aria-hidden="true">
      <h1>{storeName}</h1>
      <p>
        Prescription for <bdi>{patient}</bdi>
      </p>
      <RxView {...view} onPaper rx={{ ...rx, notes_internal: null }} />
      <p className="whitespace-pre-line">{prescriberLines(rx, { storeName, providerName: view.providerName }).join('\n')}</p>
      {hasCylinder(rx) && (
        <p>
          {notationWords[other]}: {eyes.map((eye) => `${eye.toUpperCase()} ${eyeWords(turned, eye)}`).join('; ')}
        </p>
      )}
      {eyes.some((eye) => rx[eye].is_trial) && <p>Trial lenses. Not a final prescription.</p>}
      {!rx.signature && <p>Draft. Not signed and not valid.</p>}
      {rx.withdrawn && <p>{statusOn(today, rx)}. Not valid.</p>}
    </section>,
    document.body,
  )
}
