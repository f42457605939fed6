import { Link } from '@tanstack/react-router'
import { ArrowLeft, FileSpreadsheet, Pencil, Plus, Printer, ReceiptText, ScanBarcode, UsersRound } from 'lucide-react'
import { type ComponentType, useCallback, useRef, useState } from 'react'
import { gtin14, normaliseCode } from '#contract/core/codes.ts'
import type { ReceivedPiece, VendorInvoice } from '#contract/receiving/store-invoices.ts'
import { differencesOf, isOpen, mayStep, takesPieces, whatToConfirm } from '#contract/receiving/vendor-invoice-rules.ts'
import { ScanEntry } from '#src/camera/scan-entry.tsx'
import { pageSound } from '#src/device/sound.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { untilSent, useCutOff } from '#src/sync/react/use-cut-off.ts'
import { useWork } from '#src/sync/react/use-work.ts'
import type { Device } from '#src/sync/device/device.ts'
import { type Announcement, announcement } from '#src/domain/pieces/announcement.ts'
import type { WaitingReceived } from '#src/domain/receiving/record-received-piece.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatDate, formatDateTime, formatNumberOf } from '#src/ui/format.ts'
import { KeptNotice } from '#src/ui/kept-notice.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { InvoiceDialogs, type AskedOf } from './components/invoice-dialogs.tsx'
import { InvoiceLines } from './components/invoice-lines.tsx'
import { ReceivedPieces } from './components/received-pieces.tsx'
import { StopQuestion } from './components/stop-question.tsx'
import { WaitingPieces } from './components/waiting-pieces.tsx'
import { TotalsLine } from './components/totals-line.tsx'
import { storePlace } from './places.ts'
import { type OpenInvoice, useVendorInvoice, type Wanted } from './hooks/use-vendor-invoice.ts'
import { piecesIn, receivedWords, waitingOf } from './model/waiting-receipt.ts'
import { detailWords, keptAtServer, statusWords } from './words.ts'

type Props = {
  idVendorInvoice: string
  onFile: () => void
  onGone: () => void
  /** Prints the labels of pieces. It belongs to another feature. */
  Labels: ComponentType<{ ids: readonly number[]; onClose: () => void }>
}

/** A vendor's invoice: its data, and receiving its pieces. */
export function VendorInvoiceScreen({ idVendorInvoice, ...told }: Props) {
  const open = useVendorInvoice(idVendorInvoice)
  const { value: invoice, failure, reload } = open
  if (invoice) return <Opened open={open} invoice={invoice} {...told} />
  if (!failure) return <Skeleton lines={6} height="row" />
  return (
    <NotLoaded
      failure={failure}
      title="Couldn’t open the invoice"
      icon={<ReceiptText aria-hidden />}
      offline={keptAtServer}
      onRetry={() => void reload()}
    />
  )
}

type View = 'lines' | 'pieces' | 'history'

type OpenedProps = Omit<Props, 'idVendorInvoice'> & { open: OpenInvoice; invoice: VendorInvoice }

function Opened({ open, invoice, onFile, onGone, Labels }: OpenedProps) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const cutOff = useCutOff()
  const isOffline = cutOff !== null
  const [asked, setAsked] = useState<AskedOf | null>(null)
  const [notice, setNotice] = useState<Announcement | null>(null)
  const [isPrinting, setPrinting] = useState(false)
  const [view, setView] = useState<View>('lines')
  const { status } = invoice
  const isHere = invoice.store_id === home?.store_id
  const mayWrite = isHere && (home?.permissions.includes('vendor-invoice.write') ?? false)
  const maySettle = isHere && (home?.permissions.includes('vendor-invoice.settle') ?? false)
  const isReceiving = mayWrite && takesPieces(status)
  const isChanged = mayWrite && isOpen(status)
  useWork(isReceiving ? 'scans' : isChanged ? 'form' : null)
  const timeZone = home?.locations.find(({ store_id }) => store_id === invoice.store_id)?.time_zone
  const isBusy = open.busy || isOffline

  /**
   * A piece that the user has to decide about; nothing else is received before. The ref has the newest, because scans
   * are faster than the screen.
   */
  const [question, setQuestion] = useState<Question | null>(null)
  const newestQuestion = useRef<Question | null>(null)
  function stop(now: Question | null) {
    newestQuestion.current = now
    setQuestion(now)
  }

  async function receive(asked: Wanted): Promise<Announcement> {
    const known = 'code' in asked ? nameOf(device, invoice, asked.code) : null
    if (!asked.confirmed && !known?.isPiece) {
      const name = known?.name ?? asked.name ?? 'The frame'
      const asks = asksOf(device, invoice, asked, await open.waitingNow())
      if (asks.length > 0) return stopped({ asks, wanted: asked, name })
    }
    if (isOffline && known?.isPiece)
      return announcement(`${known.name} is already in stock. Nothing was received. Scan the UPC of a new frame.`, 'warn', 'duplicate')
    const wanted = known && !known.isPiece ? { ...asked, name: known.name } : asked
    const answer = await open.receive(wanted)
    if (answer.kind === 'kept') {
      if (answer.because === 'no-answer')
        return announcement('The server didn’t answer. The scan is saved on this tablet and will be received once.', 'warn', 'counted')
      if ('code' in asked && !known)
        return announcement(`No match for ${asked.code} on this tablet. It’s saved, and the server will check it.`, 'warn', 'set-aside')
      return announcement(`${wanted.name ?? 'Frame'}: saved. It gets a tag ${untilSent(answer.because)}.`, 'good', 'counted')
    }
    if (answer.kind === 'received') {
      const learned = 'id_model' in asked && asked.learn !== undefined ? ` ${asked.learn} is now linked to it.` : ''
      const what = `${answer.name}: ${answer.tags.join(', ')}.${learned}`
      return answer.warning === null
        ? announcement(what, 'good', 'counted')
        : announcement(`${what} ${answer.warning}`, 'warn', 'set-aside')
    }
    if (answer.kind === 'refused' && answer.failure.code === 'piece-to-confirm') {
      const { asks, title_product } = answer.failure.details
      const words = Array.isArray(asks) ? asks.map(String) : [answer.failure.message]
      return stopped({ asks: words, wanted: asked, name: wanted.name ?? String(title_product) })
    }
    if (answer.kind === 'unconfirmed') return announcement(`NOT SAVED. ${answer.message}`, 'bad', 'not-recorded')
    const { code, message, details } = answer.failure
    const typed = 'code' in wanted ? wanted.code : ''
    if (code === 'piece-known' && typeof details['id_model'] === 'number') {
      const id_model = details['id_model']
      return {
        ...announcement(message, 'warn', 'duplicate'),
        actions: (
          <Button onClick={() => setAsked({ kind: 'one-more', id_model, title: String(details['title_product']) })}>Receive another</Button>
        ),
      }
    }
    if (code !== 'model-unknown') return announcement(message, 'bad', 'not-recorded')
    return {
      ...announcement(`${message}.`, 'bad', 'unknown'),
      actions: <Button onClick={() => setAsked({ kind: 'receive-model', typed })}>Choose the model</Button>,
    }
  }

  function stopped(now: Question): Announcement {
    stop(now)
    return announcement(`${now.name} isn’t received yet. ${now.asks.join('. ')}.`, 'warn', 'stop')
  }

  async function decide(keeps: boolean) {
    if (!question) return
    stop(null)
    const what = keeps
      ? await receive({ ...question.wanted, confirmed: true })
      : announcement(`${question.name}: set aside. Nothing was received.`, 'warn', 'undone')
    setNotice(what)
    pageSound().play(what.sound)
  }

  const changeLine = useCallback((line: VendorInvoice['lines'][number]) => setAsked({ kind: 'line', line }), [])
  const differences = invoice.pieces === 0 ? [] : differencesOf(invoice)
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <PageHeader
        windowTitle={`Invoice ${invoice.vendor_invoice_no}`}
        caption={`${invoice.vendor} · ${invoice.store}`}
        back={
          <Link
            {...storePlace(invoice.invoice_id)}
            aria-label={`Receipt ${invoice.number}`}
            className="-ml-2 inline-flex size-target shrink-0 items-center justify-center rounded-md hover:bg-hover"
          >
            <ArrowLeft size={20} aria-hidden />
          </Link>
        }
        title={
          <span className="flex flex-wrap items-center gap-2">
            Invoice <bdi className="whitespace-nowrap">{invoice.vendor_invoice_no}</bdi>
            <Badge tone={statusWords[status].tone}>{statusWords[status].label}</Badge>
          </span>
        }
        actions={<Actions invoice={invoice} mayWrite={mayWrite} maySettle={maySettle} isOffline={isOffline} open={open} onAsk={setAsked} />}
      />
      <p className="text-ink-2">{headline(invoice)}</p>
      <KeptNotice at={open.keptAt} timeZone={timeZone} />
      {cutOff === 'offline' && (
        <Notice tone="warn">
          {isReceiving
            ? 'You’re offline. Scans are saved here and will be received automatically. Other changes need a connection.'
            : keptAtServer}
        </Notice>
      )}
      {open.problem && (
        <Notice tone="bad" title="NOT SAVED" actions={<Button onClick={open.forgetProblem}>Close</Button>}>
          {open.problem.message}
        </Notice>
      )}
      {open.unconfirmed.length > 0 && (
        <Notice
          tone="warn"
          title={`NOT SAVED: ${formatNumberOf(open.unconfirmed.length, 'scan')}`}
          actions={
            <Button busy={open.busy} onClick={() => void open.sendAgain()}>
              Try again
            </Button>
          }
        >
          The scan may not be saved. Try again; nothing is received twice.
        </Notice>
      )}
      {invoice.posted_note !== '' && (
        <Notice tone="warn" title="Posted with differences">
          {invoice.posted_note}
        </Notice>
      )}
      {status === 'discrepancy' && differences.length > 0 && (
        <Notice tone="warn" title="Received doesn’t match the invoice">
          {differences.join(' · ')}
        </Notice>
      )}
      <TotalsLine totals={invoice.totals} pieces={invoice.pieces} />
      {isReceiving && (
        <ScanEntry
          label="Receive a frame"
          placeholder="UPC"
          takes={asked === null && !isPrinting}
          disabled={false}
          clean={normaliseCode}
          isKnown={(code) => device.frames.find(code) !== null}
          notice={notice}
          onCode={async (code) => {
            const isOpen = newestQuestion.current !== null
            const what = isOpen
              ? announcement(`${code} wasn’t received. First keep the previous frame or set it aside.`, 'bad', 'stop')
              : await receive({ code })
            // The question itself says everything.
            setNotice(!isOpen && newestQuestion.current ? null : what)
            pageSound().play(what.sound)
          }}
        />
      )}
      {isReceiving && question && (
        <StopQuestion
          key={question.asks.join()}
          asks={question.asks}
          name={question.name}
          isBusy={open.busy}
          onKeep={() => void decide(true)}
          onSetAside={() => void decide(false)}
        />
      )}
      <WaitingPieces
        waiting={open.waiting}
        timeZone={timeZone}
        onKeep={isReceiving ? (piece) => void open.keepAsked(piece) : null}
        onSetAside={isReceiving ? (piece) => void open.setAside(piece) : null}
        onChoose={isOffline || !isReceiving ? null : (piece, typed) => setAsked({ kind: 'match', piece, typed })}
      />
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className="flex-1 text-sm text-ink-2">
          {receivedWords(invoice, piecesIn(open.waiting))}
          {invoice.missing_prices > 0 && ` · ${formatNumberOf(invoice.missing_prices, 'frame')} without a selling price`}
        </p>
        {isChanged && (
          <Button icon={<FileSpreadsheet size={18} aria-hidden />} disabled={isOffline} onClick={onFile}>
            Import lines
          </Button>
        )}
        {isChanged && (
          <Button icon={<Plus size={18} aria-hidden />} disabled={isBusy} onClick={() => setAsked({ kind: 'add-line' })}>
            Add a line
          </Button>
        )}
      </div>
      <Tabs
        label="Invoice sections"
        tabs={[
          { key: 'lines', label: 'Lines', count: invoice.lines.length },
          { key: 'pieces', label: 'Pieces', count: invoice.pieces },
          { key: 'history', label: 'History' },
        ]}
        selected={view}
        onSelect={setView}
      >
        <div className="pt-3 pb-6">
          {view === 'lines' &&
            (invoice.lines.length === 0 ? (
              <EmptyState icon={<ScanBarcode aria-hidden />} title="No lines yet">
                {isReceiving ? 'Scan the UPC of each frame, anywhere on this screen, or add invoice lines one by one.' : null}
              </EmptyState>
            ) : (
              <InvoiceLines
                lines={invoice.lines}
                waiting={open.waiting}
                busy={isBusy}
                onReceive={isReceiving ? (line, quantity) => setAsked({ kind: 'receive-rest', line, quantity }) : null}
                onChange={isChanged ? changeLine : null}
                onRemove={
                  isChanged
                    ? (line) =>
                        void open.changeLines(
                          invoice,
                          linesOf(invoice).filter(({ id_model }) => id_model !== line.id_model),
                        )
                    : null
                }
              />
            ))}
          {view === 'pieces' &&
            (invoice.received.length === 0 ? (
              <EmptyState icon={<ScanBarcode aria-hidden />} title="No frames received yet" />
            ) : (
              <>
                {home?.permissions.includes('frame.label') && (
                  <p>
                    <Button icon={<Printer size={18} aria-hidden />} disabled={isOffline} onClick={() => setPrinting(true)}>
                      Print {formatNumberOf(invoice.received.length, 'label')}
                    </Button>
                  </p>
                )}
                <ReceivedPieces pieces={invoice.received} onOpen={(piece: ReceivedPiece) => setAsked({ kind: 'item', piece })} />
              </>
            ))}
          {view === 'history' && (
            <ol aria-label="History" className="divide-y divide-line rounded-lg border border-line bg-surface">
              {invoice.history.map((row, at) => (
                // Rows have no id. New ones are only added at the front.
                <li key={invoice.history.length - at} className="flex flex-wrap gap-x-4 px-4 py-3">
                  <span className="min-w-0 flex-[1_1_12rem] font-medium">
                    {row.action}
                    {row.detail !== '' && <span className="font-normal text-ink-2"> · {detailWords(row.detail)}</span>}
                  </span>
                  <span className="text-sm text-ink-2">
                    <bdi>{row.rep}</bdi>, {formatDateTime(row.at, timeZone)}
                  </span>
                </li>
              ))}
            </ol>
          )}
        </div>
      </Tabs>
      <InvoiceDialogs
        asked={asked}
        open={open}
        invoice={invoice}
        mayDeleteItems={isChanged}
        timeZone={timeZone}
        receive={receive}
        onGone={onGone}
        onClose={() => setAsked(null)}
      />
      {isPrinting && <Labels ids={invoice.received.map(({ frame }) => frame.id_inventory)} onClose={() => setPrinting(false)} />}
    </div>
  )
}

type Question = { asks: readonly string[]; wanted: Wanted; name: string }

/** Returns what the user has to confirm, as far as this tablet knows. The server asks about the rest. */
function asksOf(
  { frames }: Pick<Device, 'frames'>,
  { lines, vendor_id, vendor }: VendorInvoice,
  asked: Wanted,
  waiting: readonly WaitingReceived[],
) {
  const gtin = 'code' in asked ? gtin14(asked.code) : null
  const line = lines.find((one) =>
    'id_model' in asked ? one.id_model === asked.id_model : gtin !== null && one.upc !== null && gtin14(one.upc) === gtin,
  )
  const found = 'code' in asked ? frames.find(asked.code) : null
  const alike = found?.by === 'upc' ? found.frames[0] : undefined
  // Neither the invoice nor this tablet has the model, so only the server can tell.
  if (!line && !alike) return []
  const hasPaper = lines.some(({ qty_invoiced }) => qty_invoiced !== null)
  return whatToConfirm(
    {
      qty_invoiced: line ? line.qty_invoiced : hasPaper ? 0 : null,
      here: (line?.qty_received ?? 0) + (line ? waitingOf(line, waiting) : 0),
      quantity: asked.quantity ?? 1,
    },
    alike && alike.vendor_id !== vendor_id ? vendor : null,
  )
}

/** Names a label as far as the tablet knows: a piece by its tag, or a model by its UPC. */
function nameOf({ frames }: Pick<Device, 'frames'>, { lines }: VendorInvoice, code: string): { name: string; isPiece: boolean } | null {
  const gtin = gtin14(code)
  const line = gtin === null ? undefined : lines.find(({ upc }) => upc !== null && gtin14(upc) === gtin)
  if (line) return { name: `${line.brand_name} ${line.title_product}`, isPiece: false }
  const found = frames.find(code)
  if (found && found.by !== 'upc') return { name: found.frame.sku, isPiece: true }
  const alike = found?.frames[0]
  return alike ? { name: `${alike.brand_name} ${alike.title_product}`, isPiece: false } : null
}

/** Returns the present lines, to send them with one changed. */
export const linesOf = ({ lines }: VendorInvoice) => lines.map(({ id_model, qty_invoiced }) => ({ id_model, qty_invoiced }))

function headline(invoice: VendorInvoice): string {
  const day = (word: string, date: string | null) => date !== null && `${word} ${formatDate(date)}`
  return [
    `Receipt ${invoice.number}`,
    day('dated', invoice.invoice_date),
    invoice.po_no !== '' && (/^po\b/i.test(invoice.po_no) ? invoice.po_no : `PO ${invoice.po_no}`),
    invoice.terms,
    day('due', invoice.due_date),
    day('received', invoice.received_date),
    day('paid', invoice.paid_on),
    invoice.paid_reference,
    invoice.contact !== null && `contact ${invoice.contact}`,
    invoice.note,
  ]
    .filter(Boolean)
    .join(' · ')
}

type ActionProps = {
  invoice: VendorInvoice
  mayWrite: boolean
  maySettle: boolean
  isOffline: boolean
  open: OpenInvoice
  onAsk: (asked: AskedOf) => void
}

/** The actions that the state of the invoice allows. */
function Actions({ invoice, mayWrite, maySettle, isOffline, open, onAsk }: ActionProps) {
  const { status, version } = invoice
  const agrees = differencesOf(invoice).length === 0 && status === 'received'
  return (
    <>
      {mayWrite && isOpen(status) && (
        <>
          <Button icon={<UsersRound size={18} aria-hidden />} disabled={isOffline} onClick={() => onAsk({ kind: 'contacts' })}>
            Contacts
          </Button>
          <Button icon={<Pencil size={18} aria-hidden />} disabled={isOffline} onClick={() => onAsk({ kind: 'edit' })}>
            Edit
          </Button>
        </>
      )}
      {maySettle && status !== 'paid' && (
        <Button disabled={isOffline} onClick={() => onAsk({ kind: 'delete' })}>
          Delete
        </Button>
      )}
      {mayWrite && mayStep(status, 'void') && (
        <Button disabled={isOffline} onClick={() => onAsk({ kind: 'void' })}>
          Void
        </Button>
      )}
      {mayWrite && mayStep(status, 'reopen') && (
        <Button busy={open.busy} disabled={isOffline} onClick={() => void open.step(version, 'reopen')}>
          Receive more
        </Button>
      )}
      {mayWrite && mayStep(status, 'finish') && (
        <Button
          variant="primary"
          busy={open.busy}
          // Unsent pieces belong to the invoice too, so they have to arrive first.
          disabled={isOffline || open.waiting.some(({ refusal }) => refusal === null)}
          onClick={() => void open.step(version, 'finish')}
        >
          Finish receiving
        </Button>
      )}
      {maySettle && mayWrite && mayStep(status, 'post') && (
        <Button variant="primary" busy={open.busy} disabled={isOffline} onClick={() => onAsk({ kind: agrees ? 'post' : 'post-anyway' })}>
          Post
        </Button>
      )}
      {maySettle && mayWrite && mayStep(status, 'pay') && (
        <Button variant="primary" disabled={isOffline} onClick={() => onAsk({ kind: 'pay' })}>
          Mark paid
        </Button>
      )}
    </>
  )
}
