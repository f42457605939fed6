import { Link } from '@tanstack/react-router'
import { ArrowLeft, Printer, ScanBarcode, Truck } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { normaliseCode } from '#contract/core/codes.ts'
import { type Frame, sizeOf } from '#contract/stock/frame.ts'
import { isOverdue, type TransferLine, whyNotTransferred } from '#contract/stock/transfers.ts'
import { ScanEntry, type Told } from '#src/camera/scan-entry.tsx'
import { pageSound } from '#src/device/sound.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import {
  keepFrameState,
  readWaitingChanges,
  statusHere,
  useWaitingChanges,
  type WaitingChange,
} from '#src/domain/frames/keep-frame-state.ts'
import { untilSent, useCutOff } from '#src/sync/react/use-cut-off.ts'
import { useWork } from '#src/sync/react/use-work.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatCount, formatDateTime, formatNumberOf } from '#src/ui/format.ts'
import { KeptNotice } from '#src/ui/kept-notice.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PackingList } from '#src/ui/lists/packing-list.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { usePrinting } from '#src/ui/print/printed-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { SureDialog } from '#src/ui/sure-dialog.tsx'
import { DamagedDialog, GiveUpDialog } from './components/transfer-dialogs.tsx'
import { RefusedNotice } from './components/refused-notice.tsx'
import { TransferLines } from './components/transfer-lines.tsx'
import { scannedFrame } from '#src/domain/frames/scanned-frame.ts'
import { type OpenTransfer, useTransfer } from './hooks/use-transfer.ts'
import type { ShownTransfer } from './model/waiting-transfer.ts'
import { reasonWords, statusWords } from './words.ts'

/** /transfer/:id: a draft that is filled by scanning, or a delivery that is received by it. */
export function TransferScreen({ idTransfer }: { idTransfer: string }) {
  const open = useTransfer(idTransfer)
  const { transfer, failure, reload } = open
  if (transfer) return <Opened open={open} transfer={transfer} />
  if (!failure) return <Skeleton lines={6} height="row" />
  return (
    <NotLoaded
      failure={failure}
      title="The transfer could not be opened"
      icon={<Truck aria-hidden />}
      offline="It is not on this tablet yet. A count takes in what has arrived without a connection, too."
      onRetry={() => void reload()}
    />
  )
}

/** `1 of 6 pieces arrived`; with what was received on this tablet and waits: `1 arrived + 2 waiting of 6 pieces`. */
function arrivedWords({ lines, arrived, pieces }: ShownTransfer, waiting: readonly WaitingChange[]): string {
  const isComing = new Set(lines.filter(({ state }) => state === 'in transit').map(({ frame }) => frame.id_inventory))
  const kept = waiting.filter(({ id_inventory, refusal }) => refusal === null && isComing.has(id_inventory))
  const waits = new Set(kept.map(({ id_inventory }) => id_inventory)).size
  const all = formatNumberOf(pieces, 'piece')
  return waits === 0
    ? `${formatCount(arrived)} of ${all} arrived`
    : `${formatCount(arrived)} arrived + ${formatCount(waits)} waiting of ${all}`
}

type Asked = { kind: 'send' | 'cancel' | 'give-up' } | { kind: 'damaged'; line: TransferLine }
type Piece = { id_inventory: number; damaged: boolean; note: string }

function Opened({ open, transfer }: { open: OpenTransfer; transfer: ShownTransfer }) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const cutOff = useCutOff()
  const isOffline = cutOff !== null
  const [asked, setAsked] = useState<Asked | null>(null)
  const [told, setTold] = useState<Omit<Told, 'sound'> | null>(null)
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

  /** A label is judged by what the one before it made. */
  const newest = useRef(transfer)
  useEffect(() => {
    newest.current = transfer
  }, [transfer])
  const waiting = useWaitingChanges()
  const newestKept = useRef(new Set<number>())
  const keptHere = (waiting ?? []).filter(({ refusal }) => refusal === null).length
  useEffect(() => {
    newestKept.current = new Set((waiting ?? []).filter(({ refusal }) => refusal === null).map(({ id_inventory }) => id_inventory))
  }, [waiting])
  const reload = useEffectEvent(() => void open.reload())
  // What waited has reached the server, which knows now what has arrived.
  const keptBefore = useRef(0)
  useEffect(() => {
    if (keptHere < keptBefore.current) reload()
    keptBefore.current = keptHere
  }, [keptHere])
  const tell = (text: string, tone: Told['tone'], sound: Told['sound']) => {
    setTold({ text, tone })
    pageSound().play(sound)
  }

  async function take(raw: string) {
    const scanned = await scannedFrame(device, raw)
    if ('problem' in scanned) return tell(scanned.problem, 'bad', scanned.isModel ? 'model-only' : 'unknown')
    const { frame } = scanned
    const piece = `${frame.sku}, ${frame.brand_name} ${frame.title_product}`
    const now = newest.current
    if (isFilled) {
      if (now.lines.some((line) => line.frame.id_inventory === frame.id_inventory))
        return tell(`${piece} is on it already.`, 'warn', 'duplicate')
      const why = await whyNot(frame)
      if (why !== null) return tell(`${piece}: ${why}. Take it out of the box; it was not added.`, 'bad', 'set-aside')
      const made = await open.put(now, frame, true)
      if (made) newest.current = made
      if (!made) return tell(`${piece} was not added.`, 'bad', 'not-recorded')
      return tell(
        isOffline || device.session.state.getState().ended ? `${piece}: added on this tablet.` : `${piece}: added.`,
        'good',
        'counted',
      )
    }
    await receive({ id_inventory: frame.id_inventory, damaged: false, note: '' }, piece)
  }

  /** Why a frame cannot go on it, as far as this tablet knows; null when it can. */
  async function whyNot(frame: Frame): Promise<string | null> {
    const store = home?.locations.find(({ store_id }) => store_id === frame.store_id)?.store_name ?? 'another store'
    if (frame.store_id !== transfer.from_store_id) return `It belongs to ${store} and cannot be sent from here`
    if (await open.leavesWithAnother(frame.id_inventory)) return 'It waits to be sent with another transfer'
    return whyNotTransferred({ status: statusHere(frame, await readWaitingChanges(device.hot)) }, transfer)
  }

  /** Whether it was, which is said either way. */
  async function receive(piece: Piece, name: string): Promise<boolean> {
    const answer = isOffline ? 'signed-out' : await open.receive(piece)
    const isKept = answer === 'signed-out'
    const outcome = isKept ? await keep(piece) : answer.outcome
    if (outcome === 'received' && isKept)
      tell(`${name}: received on this tablet. The server is told ${untilSent(cutOff ?? 'signed-out')}.`, 'good', 'counted')
    else if (outcome === 'received') tell(`${name}: received.`, 'good', 'counted')
    else if (outcome === 'here') tell(`${name} was received already.`, 'warn', 'duplicate')
    else if (outcome === 'unexpected')
      tell(`${name} is not part of this transfer. Nothing was changed; look it up to place it into stock.`, 'warn', 'set-aside')
    else tell(outcome === null ? `${name} was not received.` : `NOT SAVED. ${name}: ${outcome.problem}`, 'bad', 'not-recorded')
    return outcome === 'received'
  }

  /** A delivery comes where the internet does not: what arrives is put into stock by a command of its own, which ends its transit. */
  async function keep({ id_inventory, damaged, note }: Piece): Promise<'received' | 'here' | 'unexpected' | { problem: string }> {
    const line = newest.current.lines.find(({ frame }) => frame.id_inventory === id_inventory)
    if (!line) return 'unexpected'
    if (line.state !== 'in transit' || newestKept.current.has(id_inventory)) return 'here'
    const seen = { id_inventory, sku: line.frame.sku, status: 'ICT' as const, store_id: transfer.to_store_id }
    const problem = await keepFrameState(device, seen, damaged ? 'state_defective' : 'state_in_stock', note)
    if (problem !== null) return { problem }
    newestKept.current.add(id_inventory)
    return 'received'
  }

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
              className="-ml-2 inline-flex size-12 items-center justify-center rounded-md hover:bg-hover"
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
                Call off
              </Button>
            )}
            {isReceived && (
              <Button disabled={isOffline} onClick={() => setAsked({ kind: 'give-up' })}>
                Close without the rest
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
            ? 'The server cannot be reached. What you receive waits on this tablet and is sent by itself. To close the transfer takes a connection.'
            : isFilled || transfer.waits.send
              ? 'The server cannot be reached. What you do here waits on this tablet. The transfer is sent when there is a connection.'
              : 'The server cannot be reached. To call a transfer off takes a connection.'}
        </Notice>
      )}
      {open.problem && (
        <Notice tone="bad" title="NOT SAVED" actions={<Button onClick={open.forgetProblem}>Close</Button>}>
          {open.problem.message}
        </Notice>
      )}
      <RefusedNotice refused={open.refused} />
      {transfer.discrepancy !== '' && (
        <Notice tone="warn" title="Closed with pieces missing">
          {transfer.discrepancy}
        </Notice>
      )}
      {(isFilled || isReceived) && (
        <ScanEntry
          label={isFilled ? 'Put a frame on it' : 'Receive a frame'}
          placeholder="Store tag or F#"
          takes={asked === null}
          disabled={false}
          clean={normaliseCode}
          isKnown={(code) => device.frames.find(code) !== null}
          told={told}
          onCode={take}
        />
      )}
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
        <EmptyState icon={<ScanBarcode aria-hidden />} title="No frames on it yet">
          Scan their tags, anywhere on this screen, or type one above.
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
        <PackingList
          title={`${name}: ${transfer.from_store} to ${transfer.to_store}`}
          note={[reasonWords[transfer.reason], transfer.note, transfer.carrier, transfer.tracking].filter(Boolean).join(' · ')}
          pieces={transfer.lines.map(({ frame }) => ({ ...frame, size: sizeOf(frame) }))}
        />
      )}
      {asked?.kind === 'send' && (
        <SureDialog
          title={`Send ${formatNumberOf(transfer.lines.length, 'frame')} to ${transfer.to_store}?`}
          text={
            isOffline
              ? 'It waits on this tablet, and is sent when there is a connection. Only then are the frames in transit (ICT).'
              : 'They are in transit (ICT) until they are received there.'
          }
          yes="Send"
          busy={open.busy}
          onYes={() => void open.send(transfer).then(close)}
          onClose={close}
        />
      )}
      {asked?.kind === 'cancel' && (
        <SureDialog
          title="Call this transfer off?"
          text={status === 'draft' ? 'The draft is put away.' : `Its frames are in stock at ${transfer.from_store} again.`}
          yes="Call off"
          busy={open.busy}
          onYes={() => void open.cancel(transfer.version).then(close)}
          onClose={close}
        />
      )}
      {asked?.kind === 'give-up' && (
        <GiveUpDialog
          pieces={transfer.pieces - transfer.arrived}
          busy={open.busy}
          onGiveUp={(reason) => void open.close(transfer.version, reason).then(close)}
          onClose={close}
        />
      )}
      {asked?.kind === 'damaged' && (
        <DamagedDialog
          line={asked.line}
          busy={open.busy}
          onDamaged={async (note) => {
            const { id_inventory, sku } = asked.line.frame
            // What was typed of the damage stays until it is written down.
            if (await receive({ id_inventory, damaged: true, note }, sku)) close()
          }}
          onClose={close}
        />
      )}
    </div>
  )
}
