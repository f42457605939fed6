import { FileSpreadsheet, ShieldAlert } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { storeInvoiceEndpoints } from '#contract/receiving/store-invoices.ts'
import { isOpen } from '#contract/receiving/vendor-invoice-rules.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { useToday } from '#src/sync/react/use-today.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { ProgressBar } from '#src/ui/progress-bar.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { type Checked, checkRows, rememberColumns, rememberedColumns, type RowProblem, sendRows, type Told } from './actions.ts'
import { guessColumns, type Mapping } from './model/columns.ts'
import { ColumnChoices } from './components/column-choices.tsx'
import { ImportReport } from './components/import-report.tsx'
import type { ImportKind } from './model/import-kind.ts'
import { patientsKind } from './model/patients.ts'
import { pcpsKind } from './model/pcps.ts'
import { type FileTable, readFile, UnreadableFile } from './model/read-file.ts'
import { vendorLinesKind } from './model/vendor-lines.ts'

/** Patients → Import, for managers: a file of another system. Every row is checked before anything is written. */
export function PatientImportScreen() {
  const home = useSession((session) => session.home)
  if (!home) return null
  return (
    <>
      <PageHeader title="Import patients" caption="Patients">
        From a CSV file into {home.store_name}
      </PageHeader>
      {home.permissions.includes('patient.import') ? (
        // Another store starts a new import: the rows were checked against the former one.
        <Import key={`${home.id_user} ${home.store_id}`} kind={patientsKind} />
      ) : (
        <ForManagers>To add one patient, go to patient search.</ForManagers>
      )}
    </>
  )
}

/** Primary care providers → Import, for managers. */
export function PcpImportScreen() {
  const home = useSession((session) => session.home)
  if (!home) return null
  return (
    <>
      <PageHeader title="Import primary care providers" caption="Primary care providers">
        From a CSV file into the list for all stores
      </PageHeader>
      {home.permissions.includes('pcp.import') ? (
        <Import key={home.id_user} kind={pcpsKind} />
      ) : (
        <ForManagers>To add one provider, go to the list.</ForManagers>
      )}
    </>
  )
}

/** Imports a vendor's file onto one of their invoices. The store then receives pieces against those lines. */
export function VendorFileScreen({ idVendorInvoice, back }: { idVendorInvoice: string; back: ReactNode }) {
  const device = useDevice()
  const mayWrite = useSession((session) => session.home?.permissions.includes('vendor-invoice.write') ?? false)
  const load = useCallback(
    () => device.call(storeInvoiceEndpoints.readVendorInvoice, { params: { id: idVendorInvoice } }),
    [device, idVendorInvoice],
  )
  const { value, failure, reload } = useLoaded(load)
  const kind = useMemo(() => value && vendorLinesKind(device, value), [device, value])
  if (!value || !kind) {
    if (!failure) return <Skeleton lines={4} height="row" />
    const offline = 'The server compares the vendor’s file with the library. Try again when you’re back online.'
    return <NotLoaded failure={failure} title="Couldn’t open the invoice" offline={offline} onRetry={() => void reload()} />
  }
  return (
    <>
      <PageHeader title="Import lines" caption={`${value.vendor} · invoice ${value.vendor_invoice_no}`} back={back}>
        From the vendor’s CSV file. This doesn’t receive anything; you’ll scan the frames next.
      </PageHeader>
      {mayWrite && isOpen(value.status) ? (
        <Import key={value.id_vendor_invoice} kind={kind} />
      ) : (
        <EmptyState icon={<ShieldAlert aria-hidden />} title="You can’t add lines to this invoice" />
      )}
    </>
  )
}

function ForManagers({ children }: { children: string }) {
  return (
    <EmptyState icon={<ShieldAlert aria-hidden />} title="Managers only">
      {children}
    </EmptyState>
  )
}

type Work = { title: string; done: number; total: number }

function Import<Row>({ kind }: { kind: ImportKind<Row> }) {
  const device = useDevice()
  const today = useToday()
  const isOffline = useConnection((connection) => connection.online) === false
  const [chosen, setChosen] = useState<{ name: string; table: FileTable } | null>(null)
  const [mapping, setMapping] = useState<Mapping>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [work, setWork] = useState<Work | null>(null)
  const [checked, setChecked] = useState<Checked<Row> | null>(null)
  const [told, setTold] = useState<{ rows: Told[]; wasImport: boolean; wasStopped: boolean } | null>(null)
  const [failure, setFailure] = useState<{ failure: Failure; problems: RowProblem[] } | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  // Scrolls to the result, which is below the form and easy to miss.
  const result = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (told === null) return
    result.current?.scrollIntoView({ block: 'start' })
    result.current?.focus({ preventScroll: true })
  }, [told])

  function forget() {
    setChecked(null)
    setTold(null)
    setFailure(null)
  }

  async function choose(file: File) {
    forget()
    setProblem(null)
    setChosen(null)
    try {
      const table = await readFile(file)
      setMapping(
        (await kind.kept?.read(table.headers)) ?? (await rememberedColumns(kind, table.headers)) ?? guessColumns(kind, table.headers),
      )
      setChosen({ name: file.name, table })
    } catch (error) {
      setProblem(error instanceof UnreadableFile ? error.message : 'Couldn’t read the file. Choose it again.')
    }
  }

  async function send(rows: Checked<Row>['good'], checkOnly: boolean) {
    const title = checkOnly ? kind.words.comparing : 'Importing'
    const controller = new AbortController()
    running.current = controller
    setFailure(null)
    setWork({ title, done: 0, total: rows.length })
    const onProgress = (done: number) => setWork({ title, done, total: rows.length })
    const sent = await sendRows(kind, device, rows, { checkOnly, signal: controller.signal, onProgress })
    setWork(null)
    setTold({ rows: sent.told, wasImport: !checkOnly, wasStopped: sent.told.length < rows.length })
    if (sent.failure) setFailure({ failure: sent.failure, problems: sent.problems })
  }

  async function check(table: FileTable) {
    forget()
    setWork({ title: 'Checking the rows', done: 0, total: table.lines.length })
    await rememberColumns(kind, table.headers, mapping)
    await kind.kept?.write(table.headers, mapping)
    const found = await checkRows(kind, table, mapping, today)
    setChecked(found)
    await send(found.good, true)
  }

  const missing = kind.missing(new Set(mapping.filter((target) => target !== null)))
  const fresh = told?.rows.filter(({ verdict }) => verdict === 'new').length ?? 0
  const isReady = checked !== null && told !== null && !told.wasImport && !told.wasStopped
  return (
    <div className="flex flex-col gap-4">
      {isOffline && (
        <Notice tone="warn" title="No connection">
          You can choose a file and match its columns. Checking and importing need a connection.
        </Notice>
      )}
      <ChooseFile name={chosen?.name ?? null} disabled={work !== null} onChoose={(file) => void choose(file)} />
      {problem && (
        <Notice tone="bad" title="This file can’t be imported">
          {problem}
        </Notice>
      )}
      {chosen && (
        <>
          <ColumnChoices
            kind={kind}
            table={chosen.table}
            mapping={mapping}
            disabled={work !== null}
            onChange={(changed) => {
              setMapping(changed)
              forget()
            }}
          />
          {missing.length > 0 && (
            <Notice tone="warn" title="Match the required columns">
              {kind.words.needs}: {missing.join(', ')}.
            </Notice>
          )}
          <div className="flex flex-wrap gap-2">
            <Button
              variant={isReady ? 'secondary' : 'primary'}
              disabled={missing.length > 0 || work !== null || isOffline}
              onClick={() => void check(chosen.table)}
            >
              Check {formatNumberOf(chosen.table.lines.length, 'row')}
            </Button>
            {isReady && (
              <Button variant="primary" disabled={fresh === 0 || work !== null || isOffline} onClick={() => void send(checked.good, false)}>
                Import {formatNumberOf(fresh, kind.words.one)}
              </Button>
            )}
          </div>
        </>
      )}
      {work && (
        <section aria-label="Progress" className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
          <ProgressBar label={work.title} done={work.done} total={work.total} />
          <div>
            <Button onClick={() => running.current?.abort()}>Cancel</Button>
          </div>
        </section>
      )}
      <div
        ref={result}
        tabIndex={-1}
        role="group"
        aria-label="Result"
        className="flex scroll-mt-20 flex-col gap-4 outline-none empty:hidden"
      >
        {failure && (
          <Notice tone="bad" title={failure.failure.kind === 'unreachable' ? 'Couldn’t reach the server' : 'The server refused these rows'}>
            {failure.failure.kind === 'unreachable' ? '' : `${failure.failure.message}. `}
            Rows listed below as imported are saved. Check again to continue; nothing is imported twice.
          </Notice>
        )}
        {chosen && checked && !work && (
          <ImportReport kind={kind} table={chosen.table} checked={checked} told={told} refused={failure?.problems ?? []} />
        )}
      </div>
    </div>
  )
}

function ChooseFile({ name, disabled, onChoose }: { name: string | null; disabled: boolean; onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-surface p-4">
      <input
        ref={input}
        id={id}
        type="file"
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        aria-label="CSV file"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0]
          // Lets the user choose the same file again after correcting it.
          event.target.value = ''
          if (file) onChoose(file)
        }}
      />
      <Button
        variant={name === null ? 'primary' : 'secondary'}
        disabled={disabled}
        icon={<FileSpreadsheet size={18} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {name === null ? 'Choose file' : 'Choose another file'}
      </Button>
      <p className="min-w-0 break-words text-ink-2">{name ?? 'Nothing is saved until you review each row.'}</p>
    </div>
  )
}
