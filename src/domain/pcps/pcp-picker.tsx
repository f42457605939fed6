import { formatPhone } from '#contract/patients/patient.ts'
import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react'
import { CloudOff, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { type PcpCard, pcpName } from '#contract/patients/pcp.ts'
import { useConnection, useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { controlClasses, Field } from '#src/ui/forms/field.tsx'
import { formOfLine } from './pcp-form.ts'
import { everyPcp, useKeptPcps, usePcpCard, usePcps } from './queries.ts'

const PcpDialog = fetchedDialog(async () => (await import('./pcp-dialog.tsx')).PcpDialog)

type Props = { label: string; value: string; onChange: (id: string) => void; error?: string | undefined }

/** Chooses a patient's primary care provider from the list of the server or of the tablet, or none. */
export function PcpPicker({ label, value, onChange, error }: Props) {
  const isOffline = useConnection((connection) => connection.online) === false
  const mayAdd = useSession(({ home }) => home?.permissions.includes('pcp.write') ?? false)
  const [line, setLine] = useState('')
  const [isAsked, setAsked] = useState(false)
  const [adding, setAdding] = useState<string | null>(null)
  const present = usePcpCard(value === '' ? null : value)
  const card = present.value ?? null

  function choose(id: string) {
    onChange(id)
    setLine('')
    setAsked(false)
  }

  return (
    <div className="col-span-full flex flex-col gap-2">
      <Field label={label} error={error} hint="Name, practice, phone or NPI">
        {({ id, describedBy, invalid }) => (
          <Combobox value={value} onChange={(chosen: string | null) => chosen !== null && choose(chosen)} immediate>
            <div className="relative">
              <ComboboxInput
                id={id}
                aria-describedby={describedBy}
                aria-invalid={invalid}
                autoComplete="off"
                spellCheck={false}
                placeholder={value === '' ? 'No one' : 'Choose another'}
                className={controlClasses}
                displayValue={() => line}
                onFocus={() => setAsked(true)}
                onChange={(event) => {
                  setLine(event.target.value)
                  setAsked(true)
                }}
              />
              {isAsked && (isOffline ? <KeptChoices line={line} /> : <Choices line={line} />)}
            </div>
          </Combobox>
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {value !== '' && (
          <>
            <p className="min-w-0 break-words">
              {card ? (
                <>
                  <strong className="font-semibold">
                    <bdi>{pcpName(card)}</bdi>
                  </strong>
                  <span className="text-ink-2">{` ${[card.practice, card.phone && formatPhone(card.phone), card.fax && `fax ${formatPhone(card.fax)}`].filter(Boolean).join(' · ')}`}</span>
                </>
              ) : present.failure ? (
                <span className="flex items-center gap-2 text-ink-2">
                  <CloudOff size={16} aria-hidden /> A provider is on file. The name is available online
                </span>
              ) : (
                <span className="text-ink-3">Loading…</span>
              )}
            </p>
            <Button variant="quiet" icon={<X size={18} aria-hidden />} onClick={() => choose('')}>
              No one
            </Button>
          </>
        )}
        {mayAdd && !isOffline && (
          <Button variant="quiet" icon={<Plus size={18} aria-hidden />} onClick={() => setAdding(line)}>
            Add a new one
          </Button>
        )}
      </div>
      {adding !== null && (
        <PcpDialog base={null} given={formOfLine(adding)} onClose={() => setAdding(null)} onSaved={({ id_pcp }) => choose(id_pcp)} />
      )}
    </div>
  )
}

/** The server's providers for the typed text, fetched when the picker opens. */
function Choices({ line }: { line: string }) {
  const { value: found, failure, isOld } = usePcps({ ...everyPcp, query: line })
  // Enter takes the first choice, so results for other words are not offered.
  const value = isOld ? undefined : found
  if (failure?.kind === 'unreachable' && !value) return <KeptChoices line={line} />
  return <ChoiceList value={value} problem={failure && 'Couldn’t load the list'} />
}

/** The tablet's providers for the typed text. */
function KeptChoices({ line }: { line: string }) {
  const { value, failure } = useKeptPcps(line)
  return <ChoiceList value={value} problem={failure && 'You’re offline, and this tablet doesn’t have the list yet. Your choice is kept'} />
}

function ChoiceList({ value, problem }: { value: { pcps: PcpCard[]; total: number } | undefined; problem: string | null }) {
  return (
    <ComboboxOptions
      static={false}
      modal={false}
      className="absolute inset-x-0 top-full z-10 mt-1 max-h-60 overflow-y-auto rounded-md border border-line bg-raised py-1 shadow-raised"
    >
      {problem && !value && <p className="px-3 py-3 text-ink-2">{problem}</p>}
      {!problem && !value && <p className="px-3 py-3 text-ink-3">Loading…</p>}
      {value?.pcps.length === 0 && <p className="px-3 py-3 text-ink-2">No matches</p>}
      {value?.pcps.map((row) => (
        <ComboboxOption
          key={row.id_pcp}
          value={row.id_pcp}
          className="flex min-h-row cursor-pointer flex-col justify-center px-3 py-1.5 data-focus:bg-hover"
        >
          <PcpLine row={row} />
        </ComboboxOption>
      ))}
      {value && value.total > value.pcps.length && (
        <p className="px-3 py-2 text-sm text-ink-3">
          Showing the first {value.pcps.length} of {value.total}. Type more to narrow it.
        </p>
      )}
    </ComboboxOptions>
  )
}

export function PcpLine({ row }: { row: PcpCard }) {
  return (
    <>
      <bdi className="font-medium wrap-anywhere">{pcpName(row)}</bdi>
      <span className="text-sm wrap-anywhere text-ink-2">
        {[row.practice, row.city, row.phone && formatPhone(row.phone)].filter(Boolean).join(' · ')}
      </span>
    </>
  )
}
