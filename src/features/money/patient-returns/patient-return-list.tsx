import { Undo2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { type PatientReturn, patientReturnEndpoints } from '#contract/returns/patient-returns.ts'
import { patientReturnStatuses, type PatientReturnStatus } from '#contract/returns/patient-return-rules.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Badge } from '#src/ui/badge.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatDate } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Pages } from '#src/ui/lists/pages.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { type Column, VirtualTable } from '#src/ui/lists/virtual-table.tsx'
import { contentWords, patientStatusWords, reasonsOf, refundWords } from './model/patient-words.ts'

const filters = [
  { value: 'all', label: 'All' },
  ...patientReturnStatuses.map((value) => ({ value, label: patientStatusWords[value].label })),
] as const

/** What patients brought back to this store; what waits for a decision stands first. */
export function PatientReturnList({ onOpen }: { onOpen: (id: string) => void }) {
  const device = useDevice()
  const store = useSession((session) => session.home?.store_id)
  const timeZone = useSession(({ home }) => home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone)
  const [status, setStatus] = useState<PatientReturnStatus | 'all'>('all')
  const [page, setPage] = useState(1)
  // Another store has other returns.
  const load = useCallback(
    () =>
      device.call(patientReturnEndpoints.listPatientReturns, {
        query: { page: String(page), ...(status !== 'all' && { status }) },
      }),
    [device, status, page, store], // oxlint-disable-line react-hooks/exhaustive-deps
  )
  const { value, failure, reload } = useLoaded(load)
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 pt-4">
      <div className="max-w-xs">
        <SelectField
          label="Status"
          options={filters}
          value={status}
          onChange={(next) => {
            setPage(1)
            setStatus(next)
          }}
        />
      </div>
      {!value && !failure && <Skeleton lines={6} height="row" />}
      {!value && failure && (
        <NotLoaded
          failure={failure}
          title="Couldn’t load returns"
          offline="Patient returns are available online."
          onRetry={() => void reload()}
        />
      )}
      {value?.total === 0 && (
        <EmptyState icon={<Undo2 aria-hidden />} title="No returns waiting.">
          Start a return from the invoice on the patient’s page.
        </EmptyState>
      )}
      {value && value.total > 0 && (
        <>
          <VirtualTable
            label="Patient returns"
            columns={columnsOf(timeZone)}
            rows={value.patient_returns}
            rowKey={idOf}
            rowHeight={64}
            onOpen={({ return_id }) => onOpen(return_id)}
          />
          <Pages page={page} of={Math.ceil(value.total / value.page_size)} onPage={setPage} />
        </>
      )}
    </div>
  )
}

const idOf = ({ return_id }: PatientReturn) => return_id

function columnsOf(timeZone: string | undefined): Column<PatientReturn>[] {
  return [
    {
      key: 'return',
      header: 'Return',
      width: 'minmax(0, 1fr)',
      cell: (row) => (
        <>
          <p className="truncate font-medium">{contentWords(row)}</p>
          <p className="truncate text-sm text-ink-2">
            #{row.number} · {row.patient && <bdi>{row.patient.name}</bdi>}
            {row.patient && ' · '}
            {reasonsOf(row)}
          </p>
        </>
      ),
    },
    { key: 'invoice', header: 'Invoice', width: '5rem', numeric: true, from: 'md', cell: ({ invoice_no }) => invoice_no },
    {
      key: 'date',
      header: 'Date',
      width: '7.5rem',
      from: 'md',
      cell: ({ requested_at }) => <span className="figures text-sm">{formatDate(requested_at, timeZone)}</span>,
    },
    { key: 'refund', header: 'Refund', width: '7rem', from: 'lg', cell: (row) => <span className="figures">{refundWords(row)}</span> },
    {
      key: 'status',
      header: 'Status',
      width: '7rem',
      cell: ({ status }) => <Badge tone={patientStatusWords[status].tone}>{patientStatusWords[status].label}</Badge>,
    },
  ]
}
