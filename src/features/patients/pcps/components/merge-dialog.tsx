import { Search } from 'lucide-react'
import { useState } from 'react'
import { mergedPcp, type Pcp, type PcpField, pcpFieldNames, type PcpInput, pcpInputOf, pcpName } from '#contract/patients/pcp.ts'
import { pcpEndpoints } from '#contract/patients/pcps.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { pcpLabels, pcpWordsOf } from '#src/domain/pcps/pcp-form.ts'
import { PcpLine } from '#src/domain/pcps/pcp-picker.tsx'
import { everyPcp, usePcps } from '#src/domain/pcps/queries.ts'

type Props = { first: Pcp; onClose: () => void; onMerged: () => void }

/**
 * Merges two entries of the same provider. The user picks the other entry and the one that stays, and sees the result.
 */
export function MergeDialog({ first, onClose, onMerged }: Props) {
  const device = useDevice()
  const [other, setOther] = useState<Pcp | null>(null)
  const [stays, setStays] = useState<string | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const kept = other && [first, other].find(({ id_pcp }) => id_pcp === stays)
  const gone = other && kept && (kept === first ? other : first)

  async function merge() {
    if (!kept || !gone) return
    setBusy(true)
    setFailure(null)
    const body = { id_pcp: gone.id_pcp, version: kept.version, merged_version: gone.version }
    const answer = await device.call(pcpEndpoints.mergePcps, { params: { id: kept.id_pcp }, body }, { timeoutMs: 60_000 })
    setBusy(false)
    if (!answer.ok) {
      setFailure(answer.failure)
      return
    }
    const words = `${formatNumberOf(answer.value.moved, 'patient')} moved`
    const title = (
      <>
        <bdi>{pcpName(answer.value.pcp)}</bdi> merged
      </>
    )
    showToast({ title, description: words, tone: 'good' })
    onMerged()
    onClose()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={
        <>
          Merge <bdi>{pcpName(first)}</bdi>
        </>
      }
      description="Combines two entries for the same provider. You can’t undo this."
      size="lg"
      closeOnOutside={false}
      footer={
        <>
          {other && (
            <Button
              onClick={() => {
                setOther(null)
                setStays(null)
                setFailure(null)
              }}
            >
              Choose another
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
          {other && (
            <Button variant="danger" busy={isBusy} aria-disabled={!kept} onClick={() => void merge()}>
              Merge
            </Button>
          )}
        </>
      }
    >
      {!other && (
        <OtherOne
          first={first}
          onChoose={(row) => {
            setOther(row)
            // The entry with more patients stays by default: it is usually the one that users kept up to date.
            setStays(row.patients > first.patients ? row.id_pcp : first.id_pcp)
          }}
        />
      )}
      {other && (
        <div className="flex flex-col gap-5">
          {failure && (
            <Notice tone="bad" title="Not merged">
              {failure.kind === 'unreachable'
                ? 'Couldn’t reach the server. Try again when you’re back online; nothing is merged twice.'
                : `${failure.message}. Close this and check the list again.`}
            </Notice>
          )}
          <RadioGroup
            label="Which one do you want to keep?"
            look="cards"
            columns={2}
            value={stays}
            onChange={setStays}
            options={[first, other].map((row) => ({
              value: row.id_pcp,
              label: (
                <strong className="font-semibold wrap-anywhere">
                  <bdi>{pcpName(row)}</bdi>
                </strong>
              ),
              hint: [row.practice, formatNumberOf(row.patients, 'patient')].filter(Boolean).join(' · '),
            }))}
          />
          {kept && gone && <Compared kept={kept} gone={gone} />}
        </div>
      )}
    </Dialog>
  )
}

/** Shows both entries field by field, and the values of the one that stays. */
function Compared({ kept, gone }: { kept: Pcp; gone: Pcp }) {
  const after = mergedPcp(pcpInputOf(kept as PcpInput), pcpInputOf(gone as PcpInput))
  const cell = 'px-2 py-1.5 align-top wrap-anywhere'
  const row = (field: PcpField) => {
    const [stays, goes, will] = [kept, gone, after].map((of) => pcpWordsOf(of as PcpInput, field))
    if (stays === '–' && goes === '–') return null
    return (
      <tr key={field} className="border-t border-line">
        <th scope="row" className={`${cell} text-left font-medium text-ink-2`}>
          {pcpLabels[field]}
        </th>
        <td className={cell}>{will === stays ? stays : <strong className="font-semibold">{will} (copied)</strong>}</td>
        <td className={`${cell} text-ink-2`}>{goes}</td>
      </tr>
    )
  }
  return (
    <>
      <div className="overflow-x-auto">
        <table className="w-full table-fixed">
          <caption className="sr-only">Side-by-side comparison</caption>
          <thead>
            <tr>
              <th scope="col" className="w-24 text-left sm:w-36">
                <span className="sr-only">Field</span>
              </th>
              <th scope="col" className={`${cell} text-left font-semibold`}>
                Keep
              </th>
              <th scope="col" className={`${cell} text-left font-semibold`}>
                Remove
              </th>
            </tr>
          </thead>
          <tbody>{pcpFieldNames.map(row)}</tbody>
        </table>
      </div>
      <p className="text-ink-2">
        {gone.patients === 0
          ? 'The removed entry has no patients.'
          : `${formatNumberOf(gone.patients, 'patient')} will move to the entry you keep.`}
        {gone.last_letter !== null && ' Letters move too.'}
      </p>
    </>
  )
}

function OtherOne({ first, onChoose }: { first: Pcp; onChoose: (row: Pcp) => void }) {
  const [line, setLine] = useState(first.last_name)
  const { value, failure, reload } = usePcps({ ...everyPcp, query: line, inactive: true })
  const others = value?.pcps.filter(({ id_pcp }) => id_pcp !== first.id_pcp)
  return (
    <div className="flex flex-col gap-3">
      <TextField
        label="Find the duplicate"
        icon={<Search size={18} aria-hidden />}
        autoComplete="off"
        spellCheck={false}
        value={line}
        onChange={setLine}
        hint="Name, practice, phone or NPI"
      />
      {!value &&
        (failure ? (
          <NotLoaded failure={failure} offline="The list is available online." onRetry={() => void reload()} />
        ) : (
          <Skeleton lines={3} height="row" />
        ))}
      {others?.length === 0 && <p className="text-ink-2">No other matches.</p>}
      {others && others.length > 0 && (
        <ul aria-label="Matches" className="divide-y divide-line rounded-md border border-line">
          {others.map((row) => (
            <li key={row.id_pcp}>
              <button
                type="button"
                className="flex min-h-tall w-full flex-col justify-center px-3 py-2 text-left hover:bg-hover focus-visible:-outline-offset-2"
                onClick={() => onChoose(row)}
              >
                <PcpLine row={row} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
