import { Link } from '@tanstack/react-router'
import { ArrowLeft, Printer, ScanBarcode, Truck } from 'lucide-react'
import { useState } from 'react'
import { normaliseCode } from '#contract/core/codes.ts'
import type { Frame } from '#contract/stock/frame.ts'
import { type Arrival, isOverdue, type TransferLine, whyNotTransferred } from '#contract/stock/transfers.ts'
import { ScanEntry } from '#src/camera/scan-entry.tsx'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { frameChanges, type WaitingChange } from '#src/domain/frames/record-frame-state.ts'
import { type Announcement, announcement } from '#src/domain/pieces/announcement.ts'
import { PieceChoice } from '#src/domain/pieces/piece-choice.tsx'
import { putPiece } from '#src/domain/pieces/put-piece.ts'
import { usePieceScan } from '#src/domain/pieces/use-piece-scan.ts'
import { useReloadWhenSent } from '#src/domain/pieces/use-reload-when-sent.ts'
import { packingList } from '#src/domain/print/packing-list.ts'
import { Paper } from '#src/domain/print/paper.tsx'
import { usePrinting } from '#src/domain/print/use-printing.ts'
import type { KeptBecause } from '#src/sync/device/act.ts'
import { useWaiting } from '#src/sync/react/use-waiting.ts'
import { untilSent, useCutOff } from '#src/sync/react/use-cut-off.ts'
import { useWork } from '#src/sync/react/use-work.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatCount, formatDateTime, formatNumberOf } from '#src/ui/format.ts'
import { KeptNotice } from '#src/ui/kept-notice.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { DamagedDialog, GiveUpDialog } from './components/transfer-dialogs.tsx'
import { RefusedNotice } from './components/refused-notice.tsx'
import { TransferLines } from './components/transfer-lines.tsx'
import { type OpenTransfer, useTransfer } from './hooks/use-transfer.ts'
import type { ShownTransfer } from './model/waiting-transfer.ts'
import { reasonWords, statusWords } from './words.ts'

/** /transfer/:id: a draft that the user fills by scanning, or a delivery that they receive by scanning. */
export function TransferScreen({ idTransfer }: { idTransfer: string }) {
  const open = useTransfer(idTransfer)
  const { transfer, failure, reload } = open
  if (transfer) return <Opened open={open} transfer={transfer} />
  if (!failure) return <Skeleton lines={6} height="row" />
  return (
    <NotLoaded
      failure={failure}
      title="Couldn’t open the transfer"
      icon={<Truck aria-hidden />}
      offline="It isn’t on this tablet yet. Offline, you can still scan arrived frames in a count."
      onRetry={() => void reload()}
    />
  )
}

/** Returns `1 of 6 received`, or `1 received + 2 waiting of 6` with unsent pieces. */
function arrivedWords({ lines, arrived, pieces }: ShownTransfer, waiting: readonly WaitingChange[]): string {
  const isComing = new Set(lines.filter(({ state }) => state === 'in transit').map(({ frame }) => frame.id_inventory))
  const kept = waiting.filter(({ body, refusal }) => refusal === null && isComing.has(body.id_inventory))
  const waits = new Set(kept.map(({ body }) => body.id_inventory)).size
  const all = formatCount(pieces)
  return waits === 0
    ? `${formatCount(arrived)} of ${all} received`
    : `${formatCount(arrived)} received + ${formatCount(waits)} waiting of ${all}`
}

/** Says what happened to a scanned piece. */
function receivedWords(name: string, outcome: Arrival['outcome'] | null, kept: KeptBecause | null): Announcement {
  switch (outcome) {
    case 'received':
      return kept === null
        ? announcement(`${name}: received.`, 'good', 'counted')
        : announcement(`${name}: received on this tablet. It will be sent ${untilSent(kept)}.`, 'good', 'counted')
    case 'here':
      return announcement(`${name} was already received.`, 'warn', 'duplicate')
    case 'unexpected':
      return announcement(`${name} isn’t on this transfer. Nothing changed. Look it up to put it in stock.`, 'warn', 'set-aside')
    case null:
      return announcement(`${name} wasn’t received.`, 'bad', 'not-recorded')
  }
}

type Asked = { kind: 'send' | 'cancel' | 'give-up' } | { kind: 'damaged'; line: TransferLine }
type Piece = { id_inventory: number; damaged: boolean; note: string }

function Opened({ open, transfer }: { open: OpenTransfer; transfer: ShownTransfer }) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const cutOff = useCutOff()
  const isOffline = cutOff !== null
  const [asked, setAsked] = useState<Asked | null>(null)
  const mayMove = home?.permissions.includes('frame.transfer') ?? false
  const timeZone = home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone
  const { status } = transfer
  const isUnderWay = status === 'sent' || status === 'partly received'
  const isFilled = mayMove && status === 'draft' && !transfer.waits.send && transfer.from_store_id === home?.store_id
  const name = transfer.number === null ? 'New transfer' : `Transfer #${transfer.number}`
  const isReceived = mayMove && isUnderWay && transfer.to_store_id === home?.store_id
  const mayCancel =
    mayMove &&
    transfer.from_store_id === home?.store_id &&
    ((status === 'draft' && transfer.number !== null && !transfer.waits.send) || status === 'sent')
  useWork(isFilled || isReceived ? 'scans' : null)
  const { printing, print } = usePrinting()
  const close = () => setAsked(null)

  const waiting = useWaiting(frameChanges)
  useReloadWhenSent(waiting, open.reload)

  async function take(frame: Frame, name: string): Promise<Announcement> {
    if (!isFilled) return (await receive({ id_inventory: frame.id_inventory, damaged: false, note: '' }, name)).said
    // Checks each piece against the result of the scan before it.
    const now = (await open.newest()) ?? transfer
    return await putPiece(device, frame, name, {
      lines: now.lines,
      from: { storeId: transfer.from_store_id, verb: 'sent' },
      whyNot: async (piece) =>
        (await open.leavesWithAnother(piece.id_inventory))
          ? 'It’s on another transfer waiting to send'
          : whyNotTransferred(piece, transfer),
      advice: 'Take it out of the box; it wasn’t added.',
      async put() {
        const acted = await open.put(now, frame, true)
        if (!acted.ok) return null
        return 'kept' in acted ? 'added on this tablet' : 'added'
      },
    })
  }

  async function receive(piece: Piece, name: string): Promise<{ isReceived: boolean; said: Announcement }> {
    const { outcome, kept } = await open.receive(piece)
    return { isReceived: outcome === 'received', said: receivedWords(name, outcome, kept) }
  }

  const comes = new Set(transfer.lines.filter(({ state }) => state === 'in transit').map(({ frame }) => frame.id_inventory))
  const scan = usePieceScan({
    storeId: isFilled ? transfer.from_store_id : transfer.to_store_id,
    isLikely: (frame) => (isFilled ? whyNotTransferred(frame, transfer) === null : comes.has(frame.id_inventory)),
    take,
  })

  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <PageHeader
        windowTitle={name}
        caption={`${transfer.from_store} → ${transfer.to_store}`}
        title={
          <span className="flex flex-wrap items-center gap-2">
            <Link
              to="/transfer"
              aria-label="All transfers"
              className="-ml-2 inline-flex size-target items-center justify-center rounded-md hover:bg-hover"
            >
              <ArrowLeft size={20} aria-hidden />
            </Link>
            {name}
            {transfer.waits.send ? (
              <Badge tone="warn">Waiting to send</Badge>
            ) : (
              <Badge tone={statusWords[status].tone}>{statusWords[status].label}</Badge>
            )}
            {isOverdue(transfer, device.serverNow()) && <Badge tone="bad">Overdue</Badge>}
          </span>
        }
        actions={
          <>
            {transfer.lines.length > 0 && (
              <Button icon={<Printer size={18} aria-hidden />} onClick={print}>
                Packing slip
              </Button>
            )}
            {mayCancel && (
              <Button disabled={isOffline} onClick={() => setAsked({ kind: 'cancel' })}>
                Cancel transfer
              </Button>
            )}
            {isReceived && (
              <Button disabled={isOffline} onClick={() => setAsked({ kind: 'give-up' })}>
                Close short
              </Button>
            )}
            {isFilled && (
              <Button
                variant="primary"
                icon={<Truck size={18} aria-hidden />}
                disabled={transfer.lines.length === 0}
                onClick={() => setAsked({ kind: 'send' })}
              >
                Send
              </Button>
            )}
          </>
        }
      >
        {[reasonWords[transfer.reason], transfer.note, transfer.carrier, transfer.tracking].filter(Boolean).join(' · ')}
      </PageHeader>
      <KeptNotice at={open.keptAt} timeZone={timeZone} />
      {cutOff === 'offline' && (
        <Notice tone="warn">
          {isReceived
            ? 'You’re offline. What you receive is saved here and will send when you’re back online. You need a connection to close the transfer.'
            : isFilled || transfer.waits.send
              ? 'You’re offline. Changes are saved here and will send when you’re back online.'
              : 'You’re offline. You need a connection to cancel a transfer.'}
        </Notice>
      )}
      {open.problem && (
        <Notice tone="bad" title="NOT SAVED" actions={<Button onClick={open.forgetProblem}>Close</Button>}>
          {open.problem.message}
        </Notice>
      )}
      <RefusedNotice refused={open.refused} />
      {transfer.discrepancy !== '' && (
        <Notice tone="warn" title="Closed short">
          {transfer.discrepancy}
        </Notice>
      )}
      {(isFilled || isReceived) && (
        <ScanEntry
          label={isFilled ? 'Add a frame' : 'Receive a frame'}
          placeholder="Store tag, F# or UPC"
          takes={asked === null}
          disabled={false}
          clean={normaliseCode}
          isKnown={(code) => device.frames.find(code) !== null}
          notice={scan.notice}
          onCode={scan.take}
        />
      )}
      {(isFilled || isReceived) && <PieceChoice scan={scan} />}
      <p role="status" className="text-sm text-ink-2">
        {isUnderWay || status === 'received' || status === 'discrepancy'
          ? arrivedWords(transfer, waiting ?? [])
          : formatNumberOf(transfer.pieces, 'piece')}
        {transfer.sent_by !== null && transfer.sent_at !== null && (
          <>
            {' '}
            · sent by <bdi>{transfer.sent_by}</bdi>, {formatDateTime(transfer.sent_at, timeZone)}
          </>
        )}
      </p>
      {transfer.lines.length === 0 ? (
        <EmptyState icon={<ScanBarcode aria-hidden />} title="No frames yet">
          Scan tags anywhere on this screen, or type one above.
        </EmptyState>
      ) : (
        <TransferLines
          lines={transfer.lines}
          timeZone={timeZone}
          busy={open.busy}
          waiting={waiting ?? []}
          unsent={transfer.waits.pieces}
          onRemove={isFilled ? (frame) => void open.put(transfer, frame, false) : null}
          onDamaged={isReceived ? (line) => setAsked({ kind: 'damaged', line }) : null}
        />
      )}
      {printing && (
        <Paper
          document={packingList(
            `${name}: ${transfer.from_store} to ${transfer.to_store}`,
            [reasonWords[transfer.reason], transfer.note, transfer.carrier, transfer.tracking],
            transfer.lines.map(({ frame }) => frame),
          )}
        />
      )}
      {asked?.kind === 'send' && (
        <SureDialog
          title={`Send ${formatNumberOf(transfer.lines.length, 'frame')} to ${transfer.to_store}?`}
          text={
            isOffline
              ? 'It’s saved on this tablet and will be sent when you’re back online. The frames are in transit (ICT) only after that.'
              : 'They’re in transit (ICT) until that store receives them.'
          }
          yes="Send"
          onYes={() => open.send(transfer).then(close)}
          onClose={close}
        />
      )}
      {asked?.kind === 'cancel' && (
        <SureDialog
          title="Cancel this transfer?"
          text={status === 'draft' ? 'The draft will be canceled.' : `Its frames go back into stock at ${transfer.from_store}.`}
          yes="Cancel transfer"
          onYes={() => open.cancel(transfer.version).then(close)}
          onClose={close}
        />
      )}
      {asked?.kind === 'give-up' && (
        <GiveUpDialog
          idTransfer={transfer.id_transfer}
          pieces={transfer.pieces - transfer.arrived}
          onGiveUp={async (reason) => {
            const closed = await open.close(transfer.version, reason)
            close()
            // The page behind shows the reason, and the typed text stays.
            return closed ? null : {}
          }}
          onClose={close}
        />
      )}
      {asked?.kind === 'damaged' && (
        <DamagedDialog
          idTransfer={transfer.id_transfer}
          line={asked.line}
          onDamaged={async (note) => {
            const { id_inventory, sku } = asked.line.frame
            const { isReceived, said } = await receive({ id_inventory, damaged: true, note }, sku)
            scan.announce(said)
            if (!isReceived) return {}
            close()
            return null
          }}
          onClose={close}
        />
      )}
    </div>
  )
}
