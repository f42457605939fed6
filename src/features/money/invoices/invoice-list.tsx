import { Ban, CircleCheck, CircleDashed, CircleDollarSign, FilePen, PiggyBank, ReceiptText, ShieldAlert, Undo2 } from 'lucide-react'
import { type ComponentType, type ReactNode, useState } from 'react'
import type { ListedInvoice } from '#contract/money/invoices.ts'
import { useConnection, useSession } from '#src/sync/react/device-context.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatDate, formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { ShowOlder } from '#src/ui/lists/show-older.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { type InvoiceList, useInvoices } from './queries.ts'
import { balanceWords, owedWords, standingOf } from './words.ts'

const needsServer = 'Invoices and payments are available online.'

/** Asks which items of an invoice came back. It belongs to the returns. */
type ReturnDialog = ComponentType<{ invoice: ListedInvoice; onClose: () => void }>

/** A patient's invoices, newest first, with the balance of all above them. */
export function InvoiceListTab({ idPatient, ReturnDialog }: { idPatient: string; ReturnDialog: ReturnDialog }) {
  const mayRead = useSession((session) => session.home?.permissions.includes('invoice.read')) === true
  if (mayRead) return <Invoices key={idPatient} idPatient={idPatient} ReturnDialog={ReturnDialog} />
  return (
    <EmptyState icon={<ShieldAlert aria-hidden />} title="You don’t have access to invoices">
      The front desk, opticians, doctors, billers and managers can view them.
    </EmptyState>
  )
}

function Invoices({ idPatient, ReturnDialog }: { idPatient: string; ReturnDialog: ReturnDialog }) {
  const mayReturn = useSession((session) => session.home?.permissions.includes('patient-return.request')) === true
  const [returned, setReturned] = useState<ListedInvoice | null>(null)
  const onReturn = mayReturn ? setReturned : undefined
  const isOffline = useConnection((connection) => connection.online) === false
  const list = useInvoices(idPatient)
  const { value, failure, reload } = list
  if (!value) {
    if (!failure) return <Skeleton lines={5} height="row" />
    return <NotLoaded failure={failure} offline={needsServer} onRetry={() => void reload()} />
  }
  if (list.total === 0) {
    return (
      <EmptyState icon={<ReceiptText aria-hidden />} title="No invoices yet">
        This patient’s purchases and exams will be listed here.
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      {(isOffline || failure) && (
        <Notice
          tone="warn"
          title={isOffline ? 'No connection' : 'Couldn’t refresh'}
          actions={!isOffline && <Button onClick={() => void reload()}>Try again</Button>}
        >
          This may be out of date.
        </Notice>
      )}
      <Sum list={value} />
      <section aria-label="Invoices" className="rounded-lg border border-line bg-surface">
        <ul className="divide-y divide-line">
          {list.rows.map((invoice) => (
            <Row key={invoice.id_invoice} invoice={invoice} onReturn={onReturn} />
          ))}
        </ul>
        {list.more && (
          <div className="border-t border-line p-3">
            <ShowOlder of={list} one="invoice" offline={needsServer} />
          </div>
        )}
      </section>
      {returned && (
        <ReturnDialog
          invoice={returned}
          onClose={() => {
            setReturned(null)
            void reload()
          }}
        />
      )}
    </div>
  )
}

/** Undefined for a user who may not take items back. */
type OnReturn = ((invoice: ListedInvoice) => void) | undefined

function Sum({ list: { balance, drafts } }: { list: InvoiceList }) {
  const { pt_balance_cents: patient } = balance
  return (
    <section aria-label="Balance" className="rounded-lg border border-line bg-surface p-4">
      <h2 className="text-sm text-ink-2">Balance on all finalized invoices</h2>
      <p className={`figures text-xl font-semibold ${patient > 0 ? 'text-warn' : 'text-ink'}`}>{balanceWords(balance)}</p>
      {drafts.count > 0 && (
        <p className="figures mt-1 text-ink-2">
          {formatNumberOf(drafts.count, 'draft')} of {formatMoney(drafts.total_cents)}, not due yet
        </p>
      )}
    </section>
  )
}

function Row({ invoice, onReturn }: { invoice: ListedInvoice; onReturn: OnReturn }) {
  const isOffline = useConnection((connection) => connection.online) === false
  return (
    <li className="grid gap-x-6 gap-y-2 px-4 py-3 lg:grid-cols-[minmax(0,1fr)_21rem] lg:items-center">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="figures font-semibold">Invoice {invoice.invoice_no}</h3>
          <StandingBadge invoice={invoice} />
        </div>
        <p className="mt-0.5 text-ink-2">
          <time dateTime={invoice.date}>{formatDate(invoice.date)}</time>, {invoice.store_name},{' '}
          {formatNumberOf(invoice.items_count, 'item')}
        </p>
        {invoice.promised_date !== null && <p className="text-sm text-ink-2">Promised by {formatDate(invoice.promised_date)}</p>}
        {onReturn && invoice.status === 'finalized' && (
          <Button
            variant="quiet"
            icon={<Undo2 size={18} aria-hidden />}
            aria-label={`Return for invoice ${invoice.invoice_no}`}
            disabled={isOffline}
            onClick={() => onReturn(invoice)}
          >
            Return
          </Button>
        )}
      </div>
      <dl className="grid grid-cols-3 gap-x-4">
        <Amount term="Total">{formatMoney(invoice.total_cents)}</Amount>
        <Amount term="Patient due">{formatMoney(invoice.pt_due_cents)}</Amount>
        <Amount term="Balance">{balanceOf(invoice)}</Amount>
      </dl>
    </li>
  )
}

function Amount({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="lg:text-right">
      <dt className="text-sm text-ink-2">{term}</dt>
      <dd className="figures font-medium">{children}</dd>
    </div>
  )
}

const statusIcons = { draft: <FilePen aria-hidden />, void: <Ban aria-hidden /> }
const paymentIcons: Record<ListedInvoice['payment_status'], ReactNode> = {
  unpaid: <CircleDashed aria-hidden />,
  partial: <CircleDollarSign aria-hidden />,
  paid: <CircleCheck aria-hidden />,
  credit: <PiggyBank aria-hidden />,
}

function StandingBadge({ invoice }: { invoice: ListedInvoice }) {
  const { words, tone } = standingOf(invoice)
  const icon = invoice.status === 'finalized' ? paymentIcons[invoice.payment_status] : statusIcons[invoice.status]
  return (
    <Badge tone={tone} icon={icon}>
      {words}
    </Badge>
  )
}

/** The text below the word Balance. An unpaid draft is not due yet. */
function balanceOf({ status, total_cents, balance_cents }: ListedInvoice): string {
  if (status === 'draft' && total_cents > 0 && balance_cents === total_cents) return 'Not due yet'
  return balance_cents > 0 ? formatMoney(balance_cents) : owedWords(balance_cents)
}
