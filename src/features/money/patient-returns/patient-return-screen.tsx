import { Link } from '@tanstack/react-router'
import { ArrowLeft, Trash2, Undo2 } from 'lucide-react'
import { useCallback, useState, type ReactNode } from 'react'
import { type PatientReturn, patientReturnEndpoints } from '#contract/returns/patient-returns.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Facts } from '#src/ui/facts.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { formatDateTime, formatMoney } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { patientReasonWords, patientStatusWords, placeWords, refundWords, warrantyWords } from './model/patient-words.ts'

const ConfirmDialog = fetchedDialog(async () => (await import('./components/confirm-return-dialog.tsx')).ConfirmReturnDialog)
const DenyDialog = fetchedDialog(async () => (await import('./components/deny-return-dialog.tsx')).DenyReturnDialog)

/** /returns/patient/:id: the items that a patient brought back, and the decision about them. */
export function PatientReturnScreen({ id, onGone }: { id: string; onGone: () => void }) {
  const device = useDevice()
  const load = useCallback(() => device.call(patientReturnEndpoints.readPatientReturn, { params: { id } }), [device, id])
  const { value, failure, reload } = useLoaded(load)
  /** The answer to the last decision. */
  const [decided, setDecided] = useState<PatientReturn | null>(null)
  const back = decided && decided.version >= (value?.version ?? 0) ? decided : value
  if (back) return <Opened back={back} onDecided={setDecided} onReload={() => void reload()} onGone={onGone} />
  if (!failure) return <Skeleton lines={6} height="row" />
  return (
    <NotLoaded
      failure={failure}
      title="Couldn’t open the return"
      icon={<Undo2 aria-hidden />}
      offline="Patient returns are available online."
      onRetry={() => void reload()}
    />
  )
}

type Props = { back: PatientReturn; onDecided: (back: PatientReturn) => void; onReload: () => void; onGone: () => void }

function Opened({ back, onDecided, onReload, onGone }: Props) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const isOffline = useConnection((connection) => connection.online) === false
  const [asked, setAsked] = useState<'confirm' | 'deny' | 'delete' | null>(null)
  const [problem, setProblem] = useState<Failure | null>(null)
  const isOpen = back.status === 'pending' && back.store_id === home?.store_id
  const mayDecide = isOpen && home.permissions.includes('patient-return.decide')
  const mayDelete = isOpen && home.permissions.includes('patient-return.request')
  const status = patientStatusWords[back.status]
  const dialog = {
    back,
    offline: isOffline ? 'You’re offline. Confirm or deny when you’re back online.' : null,
    onDecided: (now: PatientReturn) => {
      onDecided(now)
      // Its pieces are frames, and this tablet mirrors frames.
      void device.pull()
    },
    onStale: onReload,
    onClose: () => setAsked(null),
  }

  async function remove() {
    const query = { version: String(back.version) }
    const answer = await device.call(patientReturnEndpoints.deletePatientReturn, { params: { id: back.return_id }, query })
    setAsked(null)
    if (answer.ok) return onGone()
    setProblem(answer.failure)
    if (answer.failure.kind === 'refused') onReload()
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4">
      <PageHeader
        windowTitle={`Patient return #${back.number}`}
        caption={`Invoice ${back.invoice_no}`}
        title={
          <span className="flex flex-wrap items-center gap-2">
            <Link
              to="/returns"
              aria-label="All returns"
              className="-ml-2 inline-flex size-target items-center justify-center rounded-md hover:bg-hover"
            >
              <ArrowLeft size={20} aria-hidden />
            </Link>
            Patient return #{back.number}
            <Badge tone={status.tone}>{status.label}</Badge>
          </span>
        }
        actions={
          <>
            {mayDelete && (
              <Button icon={<Trash2 size={18} aria-hidden />} disabled={isOffline} onClick={() => setAsked('delete')}>
                Delete
              </Button>
            )}
            {mayDecide && (
              <>
                <Button disabled={isOffline} onClick={() => setAsked('deny')}>
                  Deny
                </Button>
                <Button variant="primary" disabled={isOffline} onClick={() => setAsked('confirm')}>
                  Confirm
                </Button>
              </>
            )}
          </>
        }
      />
      {isOffline && <Notice tone="warn">You’re offline. You need a connection to confirm or deny.</Notice>}
      {problem && (
        <Notice tone="bad" title="NOT DELETED" actions={<Button onClick={() => setProblem(null)}>Close</Button>}>
          {problem.message}
        </Notice>
      )}
      <ReturnFacts back={back} />
      <ul aria-label="Items returned" className="divide-y divide-line rounded-lg border border-line bg-surface">
        {back.lines.map((line) => (
          <li key={line.item_sale_id} className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
            <div className="min-w-0 flex-[1_1_14rem]">
              <p className="font-medium">
                {line.qty > 1 && `${line.qty} × `}
                {line.description}
              </p>
              <p className="text-sm text-ink-2">{patientReasonWords[line.reason]}</p>
            </div>
            {line.sku !== null && <p className="figures font-semibold">{line.sku}</p>}
            {line.share_cents !== null && <p className="figures w-20 text-right">{formatMoney(line.share_cents)}</p>}
            {line.restock !== null && line.id_inventory !== null && <Badge tone="info">{placeWords[line.restock]}</Badge>}
          </li>
        ))}
      </ul>
      {asked === 'confirm' && <ConfirmDialog {...dialog} />}
      {asked === 'deny' && <DenyDialog {...dialog} />}
      {asked === 'delete' && (
        <SureDialog
          title="Delete this return?"
          text="Nothing has been returned yet. You can enter it again from the invoice."
          yes="Delete"
          onYes={remove}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  )
}

function ReturnFacts({ back }: { back: PatientReturn }) {
  const timeZone = useSession(({ home }) => home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone)
  const { money } = back
  const facts: [string, ReactNode][] = [
    [
      'Patient',
      back.patient && (
        <Link
          key="patient"
          to="/patient/$id_patient/invoices"
          params={{ id_patient: back.patient.id_patient }}
          className="-my-3 inline-flex min-h-target items-center underline underline-offset-2"
        >
          <bdi>{back.patient.name}</bdi>
        </Link>
      ),
    ],
    ['Returned to', back.store],
    ['Entered', <At key="entered" time={formatDateTime(back.requested_at, timeZone)} by={back.requested_by} />],
    ['Warranty', back.warranty === 'none' ? '' : warrantyWords[back.warranty]],
    ['Note', back.note],
    ['Decided', back.decided_at && <At key="decided" time={formatDateTime(back.decided_at, timeZone)} by={back.decided_by} />],
    [back.status === 'denied' ? 'Reason' : 'Decision note', back.decision_note],
    ['Restocking fee', money && money.restocking_fee_cents > 0 && formatMoney(money.restocking_fee_cents)],
    ['Off the invoice', money && money.credit_cents !== null && formatMoney(money.credit_cents)],
    ['Refund', refundWords(back)],
  ]
  return <Facts facts={facts} />
}

function At({ time, by }: { time: string; by: string | null }) {
  return (
    <>
      {time}, <bdi>{by}</bdi>
    </>
  )
}
