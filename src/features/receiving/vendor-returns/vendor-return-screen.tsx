import { Link } from '@tanstack/react-router'
import { ArrowLeft, Printer, ScanBarcode, Trash2, Undo2, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { normaliseCode } from '#contract/core/codes.ts'
import { type Frame, sizeOf } from '#contract/stock/frame.ts'
import { isOverdue, nextSteps, takesPieces, type VendorReturnStep, whyNotReturned } from '#contract/returns/vendor-return-rules.ts'
import type { VendorReturn } from '#contract/returns/vendor-returns.ts'
import { ScanEntry } from '#src/camera/scan-entry.tsx'
import { PieceChoice } from '#src/domain/pieces/piece-choice.tsx'
import { putPiece } from '#src/domain/pieces/put-piece.ts'
import { usePieceScan } from '#src/domain/pieces/use-piece-scan.ts'
import { packingList } from '#src/domain/print/packing-list.ts'
import { Paper } from '#src/domain/print/paper.tsx'
import { usePrinting } from '#src/domain/print/use-printing.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useWork } from '#src/sync/react/use-work.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Facts } from '#src/ui/facts.tsx'
import { formatDateTime, formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { KeptNotice } from '#src/ui/kept-notice.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { StatusBadge } from '#src/ui/status-badge.tsx'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { StepDialog, stepWords } from './components/step-dialog.tsx'
import { type OpenReturn, useVendorReturn } from './hooks/use-vendor-return.ts'
import { creditWords, reasonWords, statusWords } from './model/vendor-words.ts'

/** /returns/:id: a return to a vendor. The user scans its frames and takes it step by step to the credit. */
export function VendorReturnScreen({ id, onGone }: { id: string; onGone: () => void }) {
  const open = useVendorReturn(id)
  const { value: back, failure, reload } = open
  if (back) return <Opened open={open} back={back} onGone={onGone} />
  if (!failure) return <Skeleton lines={6} height="row" />
  return (
    <NotLoaded
      failure={failure}
      title="Couldn’t open the return"
      icon={<Undo2 aria-hidden />}
      offline="It hasn’t been opened on this tablet yet. Open it when you’re back online."
      onRetry={() => void reload()}
    />
  )
}

const settled: readonly VendorReturnStep[] = ['credit', 'close']

function Opened({ open, back, onGone }: { open: OpenReturn; back: VendorReturn; onGone: () => void }) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const isOffline = useConnection((connection) => connection.online) === false
  const [asked, setAsked] = useState<VendorReturnStep | 'delete' | null>(null)
  const may = (permission: 'vendor-invoice.write' | 'vendor-invoice.settle') => home?.permissions.includes(permission) ?? false
  const isHere = back.store_id === home?.store_id && may('vendor-invoice.write')
  const isFilled = isHere && takesPieces(back.status)
  const steps = isHere ? nextSteps(back.status).filter((step) => !settled.includes(step) || may('vendor-invoice.settle')) : []
  const timeZone = home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone
  useWork(isFilled ? 'form' : null)
  const credit = creditWords(back)
  const { printing, print } = usePrinting()
  const close = () => setAsked(null)

  /** Checks each piece against the result of the scan before it. */
  async function take(frame: Frame, name: string) {
    const now = open.now() ?? back
    return await putPiece(device, frame, name, {
      lines: now.lines,
      from: { storeId: back.store_id, verb: 'returned' },
      whyNot: (piece) => whyNotReturned(piece, back),
      advice: 'It wasn’t added.',
      put: async () => ((await open.change(now, [...idsOf(now), frame.id_inventory])).ok ? 'added' : null),
    })
  }
  const scan = usePieceScan({ storeId: back.store_id, isLikely: (frame) => whyNotReturned(frame, back) === null, take })

  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <PageHeader
        windowTitle={`Return #${back.number}`}
        caption={back.vendor}
        title={
          <span className="flex flex-wrap items-center gap-2">
            <Link
              to="/returns"
              search={{ tab: 'open' }}
              aria-label="All returns"
              className="-ml-2 inline-flex size-target items-center justify-center rounded-md hover:bg-hover"
            >
              <ArrowLeft size={20} aria-hidden />
            </Link>
            Return #{back.number}
            <Badge tone={statusWords[back.status].tone}>{statusWords[back.status].label}</Badge>
            {isOverdue(back.status, back.since, device.serverNow()) && <Badge tone="bad">Overdue</Badge>}
            {credit && <Badge tone={credit.tone}>{credit.label}</Badge>}
          </span>
        }
        actions={
          <>
            {back.lines.length > 0 && (
              <Button icon={<Printer size={18} aria-hidden />} onClick={print}>
                Packing list
              </Button>
            )}
            {isHere && back.status === 'draft' && (
              <Button icon={<Trash2 size={18} aria-hidden />} disabled={isOffline} onClick={() => setAsked('delete')}>
                Delete
              </Button>
            )}
            {steps.map((step) => (
              <Button
                key={step}
                {...(step === usual(steps) && { variant: 'primary' as const })}
                disabled={isOffline || back.lines.length === 0}
                onClick={() => setAsked(step)}
              >
                {stepWords[step].label}
              </Button>
            ))}
          </>
        }
      >
        {[reasonWords[back.reason], back.note].filter(Boolean).join(' · ')}
      </PageHeader>
      <KeptNotice at={open.keptAt} timeZone={timeZone} />
      {isOffline && <Notice tone="warn">You’re offline. You need a connection to add frames or take the next step.</Notice>}
      {open.problem && (
        <Notice tone="bad" title="NOT SAVED" actions={<Button onClick={open.forgetProblem}>Close</Button>}>
          {open.problem.message}
        </Notice>
      )}
      <ReturnFacts back={back} />
      {isFilled && (
        <ScanEntry
          label="Add a frame"
          placeholder="Store tag, F# or UPC"
          takes={asked === null}
          disabled={isOffline}
          clean={normaliseCode}
          isKnown={(code) => device.frames.find(code) !== null}
          notice={scan.notice}
          onCode={scan.take}
        />
      )}
      {isFilled && <PieceChoice scan={scan} />}
      <p role="status" className="text-sm text-ink-2">
        {formatNumberOf(back.pieces, 'piece')}
      </p>
      {back.lines.length === 0 ? (
        <EmptyState icon={<ScanBarcode aria-hidden />} title="No frames yet">
          Scan tags anywhere on this screen, or type one above.
        </EmptyState>
      ) : (
        <ul aria-label="Frames on this return" className="divide-y divide-line rounded-lg border border-line bg-surface">
          {back.lines.map(({ frame, cost_cents }) => (
            <li key={frame.id_inventory} className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
              <div className="min-w-0 flex-[1_1_14rem]">
                <p className="truncate font-medium">
                  {frame.brand_name} {frame.title_product}
                </p>
                <p className="truncate text-sm text-ink-2">{[frame.title_variant, sizeOf(frame)].filter(Boolean).join(' · ')}</p>
              </div>
              <p className="figures font-semibold">{frame.sku}</p>
              {back.credit && <p className="figures w-20 text-right">{cost_cents === null ? 'no cost' : formatMoney(cost_cents)}</p>}
              <StatusBadge status={frame.status} />
              {isFilled && (
                <IconButton
                  label={`Remove ${frame.sku}`}
                  icon={<X size={20} aria-hidden />}
                  disabled={open.busy || isOffline}
                  onClick={() =>
                    void open.change(
                      back,
                      idsOf(back).filter((other) => other !== frame.id_inventory),
                    )
                  }
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <section aria-label="Timeline" className="rounded-lg border border-line bg-surface p-4">
        <h2 className="mb-2 font-semibold">Timeline</h2>
        <ol className="flex flex-col gap-2">
          {back.timeline.map(({ at, rep, action, detail }, place) => (
            <li key={back.timeline.length - place} className="flex flex-wrap gap-x-3">
              <span className="figures text-sm text-ink-2">{formatDateTime(at, timeZone)}</span>
              <span className="font-medium">{action}</span>
              {detail !== '' && <span className="min-w-0 break-words">{detail}</span>}
              <span className="text-sm text-ink-2">
                <bdi>{rep}</bdi>
              </span>
            </li>
          ))}
        </ol>
      </section>
      {printing && (
        <Paper
          document={packingList(
            `Return #${back.number}: ${back.store} to ${back.vendor}`,
            [back.ra_number && `RMA ${back.ra_number}`, reasonWords[back.reason], back.carrier, back.tracking],
            back.lines.map(({ frame }) => frame),
          )}
        />
      )}
      {asked !== null && asked !== 'delete' && (
        <StepDialog
          back={back}
          step={asked}
          offline={isOffline ? 'You’re offline. Save when you’re back online.' : null}
          onStep={(given) => open.step(back.version, given)}
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <SureDialog
          title="Delete this draft?"
          text="Frames taken out for it go back into stock."
          yes="Delete"
          onYes={() => open.remove(back.version).then((gone) => (gone ? onGone() : close()))}
          onClose={close}
        />
      )}
    </div>
  )
}

/** The step that most returns take next. A denial never is. */
const usual = (steps: readonly VendorReturnStep[]) => steps.find((step) => step !== 'deny')
const idsOf = ({ lines }: VendorReturn) => lines.map(({ frame }) => frame.id_inventory)

/** The facts of the return, besides its frames. */
function ReturnFacts({ back }: { back: VendorReturn }) {
  const { credit } = back
  const facts: [string, ReactNode][] = [
    ['RMA number', back.ra_number],
    ['Carrier', [back.carrier, back.tracking].filter(Boolean).join(' ')],
    [
      'Credit expected',
      credit &&
        `${formatMoney(credit.expected_cents)}${credit.missing_costs > 0 ? `, not including ${formatNumberOf(credit.missing_costs, 'frame')} with no cost` : ''}`,
    ],
    ['Credit received', credit && credit.received_cents !== null && formatMoney(credit.received_cents)],
    ['Credit memo', back.credit_memo_no],
  ]
  return <Facts facts={facts} />
}
