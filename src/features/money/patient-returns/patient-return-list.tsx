import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { type PatientReturn, patientReturnEndpoints } from '#contract/returns/patient-returns.ts'
import { patientReturnStatuses, type PatientReturnStatus } from '#contract/returns/patient-return-rules.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { usePage } from '#src/sync/react/use-page.ts'
import { Badge } from '#src/ui/badge.tsx'
import { formatDate } from '#src/ui/format.ts'
import { ServerList } from '#src/ui/lists/server-list.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { type Column, VirtualTable } from '#src/ui/lists/virtual-table.tsx'
import { contentWords, patientStatusWords, reasonsOf, refundWords } from './model/patient-words.ts'

const filters = [
  { value: 'all', label: 'All' },
  ...patientReturnStatuses.map((value) => ({ value, label: patientStatusWords[value].label })),
] as const

const words = {
  failed: 'Couldn’t load returns',
  offline: 'Patient returns are available online.',
  none: {
    title: 'No returns waiting.',
    hint: 'Start a return from the invoice on the patient’s page.',
  },
}

/** The patient returns of this store. The undecided ones come first. */
export function PatientReturnList({ onOpen }: { onOpen: (id: string) => void }) {
  const timeZone = useSession(({ home }) => home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone)
  const [status, setStatus] = useState<PatientReturnStatus | 'all'>('all')
  const list = usePage(patientReturnEndpoints.listPatientReturns, status === 'all' ? {} : { status }, 'patient_returns')
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 pt-4">
      <div className="max-w-xs">
        <SelectField label="Status" options={filters} value={status} onChange={setStatus} />
      </div>
      <ServerList of={list} words={words} icon={<Undo2 aria-hidden />}>
        {(rows) => (
          <VirtualTable
            label="Patient returns"
            columns={columnsOf(timeZone)}
            rows={rows}
            rowKey={idOf}
            rowHeight={64}
            onOpen={({ return_id }) => onOpen(return_id)}
          />
        )}
      </ServerList>
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
