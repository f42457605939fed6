import { formatPhone } from '#contract/patients/patient.ts'
import { Link } from '@tanstack/react-router'
import { ChevronRight, FileUp, Plus, Search, ShieldAlert, Stethoscope } from 'lucide-react'
import { useState } from 'react'
import { type Pcp, pcpName } from '#contract/patients/pcp.ts'
import { useConnection, useSession } from '#src/sync/react/device-context.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/forms/checkbox.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { formatDate, formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { ServerList } from '#src/ui/lists/server-list.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { pcpAddress } from '#src/domain/pcps/pcp-form.ts'
import { everyPcp, type PcpFilter, usePcpChoices, usePcps } from '#src/domain/pcps/queries.ts'

const PcpDialog = fetchedDialog(async () => (await import('#src/domain/pcps/pcp-dialog.tsx')).PcpDialog)
const PcpSheet = fetchedDialog(async () => (await import('./components/pcp-sheet.tsx')).PcpSheet)
const MergeDialog = fetchedDialog(async () => (await import('./components/merge-dialog.tsx')).MergeDialog)

const needsServer = 'The list of primary care providers is available online. A patient’s own provider is in their record.'

/** /pcp-list: the doctors outside the clinic who care for its patients. */
export function PcpListScreen() {
  const home = useSession((session) => session.home)
  if (!home) return null
  if (!home.permissions.includes('patient.read')) {
    return (
      <>
        <PageHeader title="Primary care providers" caption="Patients" />
        <EmptyState icon={<ShieldAlert aria-hidden />} title="You don’t have access to this page">
          Ask a manager if you need it.
        </EmptyState>
      </>
    )
  }
  return <List />
}

type Open = { kind: 'add' } | { kind: 'show' | 'edit' | 'merge'; row: Pcp }

function List() {
  const isOffline = useConnection((connection) => connection.online) === false
  const permissions = useSession((session) => session.home?.permissions)
  const [filter, setFilter] = useState<PcpFilter>(everyPcp)
  const [open, setOpen] = useState<Open | null>(null)
  const list = usePcps(filter)
  const choices = usePcpChoices()
  const isFiltered = filter.query !== '' || filter.city !== '' || filter.specialty !== '' || filter.inactive

  const change = (more: Partial<PcpFilter>) => setFilter({ ...filter, ...more })
  function changed() {
    void list.reload()
    void choices.reload()
  }

  const addButton = permissions?.includes('pcp.write') && (
    <Button variant="primary" icon={<Plus size={18} aria-hidden />} disabled={isOffline} onClick={() => setOpen({ kind: 'add' })}>
      Add
    </Button>
  )
  const any = { value: '', label: 'Any' }
  const named = (names: readonly string[] = []) => [any, ...names.map((name) => ({ value: name, label: name }))]
  return (
    <>
      <PageHeader
        title="Primary care providers"
        caption="Patients"
        actions={
          <>
            {permissions?.includes('pcp.import') && (
              <Link to="/pcp-list/import" className={buttonClasses('secondary')}>
                <FileUp size={18} aria-hidden /> Import
              </Link>
            )}
            {addButton}
          </>
        }
      >
        One list for all stores
      </PageHeader>
      <div className="flex flex-col gap-4">
        <form
          role="search"
          aria-label="Primary care providers"
          onSubmit={(event) => event.preventDefault()}
          className="grid grid-cols-2 gap-3 rounded-lg border border-line bg-surface p-4 lg:grid-cols-[2fr_1fr_1fr_auto]"
        >
          <div className="col-span-2 lg:col-span-1">
            <TextField
              label="Search"
              icon={<Search size={18} aria-hidden />}
              placeholder="Name, practice, phone or NPI"
              autoComplete="off"
              spellCheck={false}
              value={filter.query}
              onChange={(query) => change({ query })}
            />
          </div>
          <SelectField label="City" options={named(choices.value?.cities)} value={filter.city} onChange={(city) => change({ city })} />
          <SelectField
            label="Specialty"
            options={named(choices.value?.specialties)}
            value={filter.specialty}
            onChange={(specialty) => change({ specialty })}
          />
          <div className="col-span-2 lg:col-span-1 lg:self-end">
            <Checkbox label="Inactive" hint="Include inactive" checked={filter.inactive} onChange={(inactive) => change({ inactive })} />
          </div>
        </form>
        {isOffline && list.value && (
          <Notice tone="warn" title="No connection">
            This list may be out of date. You can search and edit it when you’re back online.
          </Notice>
        )}
        <ServerList
          of={list}
          words={{
            offline: needsServer,
            none: {
              icon: <Stethoscope aria-hidden />,
              title: 'Add a primary care provider.',
              hint: 'Managers can import a list from a CSV file.',
              action: addButton,
            },
            noneMatch: {
              icon: <Search aria-hidden />,
              title: 'No matches',
              hint: 'Try fewer search terms, or include inactive providers.',
              action: <Button onClick={() => change(everyPcp)}>Clear</Button>,
            },
          }}
          isNarrowed={isFiltered}
          pager={{ before: 'Previous', after: 'Next' }}
        >
          {(rows) => (
            <>
              <p role="status" className="text-sm text-ink-2">
                {formatNumberOf(list.total, 'provider')}
              </p>
              <Rows rows={rows} onOpen={(row) => setOpen({ kind: 'show', row })} />
            </>
          )}
        </ServerList>
      </div>
      {open?.kind === 'add' && <PcpDialog base={null} onClose={() => setOpen(null)} onSaved={changed} />}
      {open?.kind === 'edit' && <PcpDialog base={open.row} onClose={() => setOpen(null)} onSaved={changed} />}
      {open?.kind === 'merge' && <MergeDialog first={open.row} onClose={() => setOpen(null)} onMerged={changed} />}
      {open?.kind === 'show' && (
        <PcpSheet
          row={open.row}
          onClose={() => setOpen(null)}
          onEdit={(row) => setOpen({ kind: 'edit', row })}
          onMerge={(row) => setOpen({ kind: 'merge', row })}
        />
      )}
    </>
  )
}

const grid = 'lg:grid lg:grid-cols-[minmax(0,1.4fr)_9rem_minmax(0,1.2fr)_4.5rem_6rem_1.25rem] lg:items-center lg:gap-3'

function Rows({ rows, onOpen }: { rows: readonly Pcp[]; onOpen: (row: Pcp) => void }) {
  return (
    <div className="rounded-lg border border-line bg-surface">
      <div aria-hidden="true" className={`engraved hidden px-4 pt-3 pb-1 ${grid}`}>
        <span>Name, practice</span>
        <span>Phone, fax, NPI</span>
        <span>Address</span>
        <span className="text-right">Patients</span>
        <span>Last letter</span>
      </div>
      <ul aria-label="Primary care providers" className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.id_pcp}>
            <button
              type="button"
              onClick={() => onOpen(row)}
              className={`flex w-full flex-col gap-1 px-4 py-2.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 ${grid}`}
            >
              <span className="min-w-0 wrap-anywhere">
                <span className="flex flex-wrap items-center gap-2">
                  <strong className="font-semibold">
                    <bdi>{pcpName(row)}</bdi>
                  </strong>
                  {row.inactive && <Badge tone="neutral">Inactive</Badge>}
                </span>
                <span className="block text-sm text-ink-2">{[row.practice, row.specialty].filter(Boolean).join(' · ')}</span>
              </span>
              <span className="figures text-sm text-ink-2 lg:text-base lg:text-ink">
                {row.phone ? formatPhone(row.phone) : <span className="text-ink-3">no phone</span>}
                {row.fax && <span className="block text-sm text-ink-2">fax {formatPhone(row.fax)}</span>}
                {row.npi && <span className="block text-sm text-ink-2">NPI {row.npi}</span>}
              </span>
              <span className="min-w-0 text-sm wrap-anywhere whitespace-pre-line text-ink-2">{pcpAddress(row)}</span>
              <span className="figures text-sm lg:text-right lg:text-base">
                {row.patients}
                <span className="lg:sr-only"> {row.patients === 1 ? 'patient' : 'patients'}</span>
              </span>
              <span className={`figures text-sm whitespace-nowrap ${row.last_letter === null ? 'text-ink-3 max-lg:hidden' : ''}`}>
                <span className="lg:sr-only">Last letter </span>
                {row.last_letter ? formatDate(row.last_letter) : 'none'}
              </span>
              <ChevronRight size={18} aria-hidden className="hidden text-ink-3 lg:block" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
