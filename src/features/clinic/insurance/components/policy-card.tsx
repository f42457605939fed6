import { Pencil, Plus, Unlink } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { type Insurance, type InsuranceHolder, policyName } from '#contract/insurance/insurance.ts'
import { benefitStates, type BenefitState, lensKinds, type LensCover, policyState } from '#contract/insurance/insurance-benefits.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { FactList } from '#src/ui/facts.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatDate, formatMoney, formatNumberOf } from '#src/ui/format.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { detachHolder, detachPolicy } from '../actions.ts'
import { lensNames, priorityNames, relationshipNames, serviceNames } from '../words.ts'
import { CardPhotos } from './card-photos.tsx'
import { DetachDialog } from './detach-dialog.tsx'
import { HolderDialog } from './holder-dialog.tsx'
import { ShareCalculator } from './share-calculator.tsx'

type PolicyCardProps = {
  policy: Insurance
  today: string
  mayChange: boolean
  hasDraft: boolean
  onEdit: () => void
  onChanged: () => void
}

type Open = { what: 'detach' | 'add-holder' } | { what: 'edit-holder' | 'detach-holder'; holder: InsuranceHolder }

/** Shows one policy of a patient: its details, its holders, its benefits and when they are next available. */
export function PolicyCard({ policy, today, mayChange, hasDraft, onEdit, onChanged }: PolicyCardProps) {
  const device = useDevice()
  const [open, setOpen] = useState<Open | null>(null)
  const [isCounting, setCounting] = useState(false)
  const name = policyName(policy)
  const state = policyState(policy, today)
  const states = benefitStates(policy.benefits, policy.used, today)
  const close = () => setOpen(null)
  const done = (title: string) => {
    close()
    showToast({ title, tone: 'good' })
    onChanged()
  }

  return (
    <section aria-label={name} className="rounded-lg border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <h2 className="min-w-0 flex-1 basis-60 text-lg font-semibold wrap-anywhere">{name}</h2>
        {policy.priority && state === 'ended' && <Badge tone="neutral">Was {priorityNames[policy.priority].toLowerCase()}</Badge>}
        {policy.priority && state !== 'ended' && <Badge tone="info">{priorityNames[policy.priority]}</Badge>}
        {policy.coverage_type && <Badge tone="neutral">{policy.coverage_type}</Badge>}
        {state !== 'in force' && <Badge tone="warn">{state === 'ended' ? 'Ended' : 'Not active yet'}</Badge>}
        {policy.in_network === false && <Badge tone="warn">Out of network</Badge>}
      </header>
      <div className="grid gap-x-8 gap-y-4 p-4 lg:grid-cols-2">
        <Facts policy={policy} today={today} />
        <Benefits policy={policy} states={states} state={state} />
        {policy.company_id === null && (
          <div className="lg:col-span-2">
            <Notice tone="warn" title="Only the card is on file">
              Enter what’s printed on the card to use this policy.
            </Notice>
          </div>
        )}
        {hasDraft && (
          <div className="lg:col-span-2">
            <Notice tone="warn" title="Unsaved changes" actions={<Button onClick={onEdit}>Continue</Button>}>
              Your edits to this policy are still on this device.
            </Notice>
          </div>
        )}
        <Holders
          policy={policy}
          mayChange={mayChange}
          onAdd={() => setOpen({ what: 'add-holder' })}
          onEdit={(holder) => setOpen({ what: 'edit-holder', holder })}
          onDetach={(holder) => setOpen({ what: 'detach-holder', holder })}
        />
      </div>
      {isCounting && (
        <div className="border-t border-line p-4">
          <h3 className="mb-2 font-semibold">What the patient pays</h3>
          {state !== 'in force' && <p className="mb-2 text-warn">This policy isn’t active today.</p>}
          <ShareCalculator benefits={policy.benefits} states={states} />
        </div>
      )}
      <footer className="flex flex-wrap gap-2 border-t border-line p-3">
        <CardPhotos policy={policy} />
        <Button aria-expanded={isCounting} onClick={() => setCounting(!isCounting)}>
          Patient share
        </Button>
        {mayChange && (
          <>
            <Button icon={<Pencil size={18} aria-hidden />} onClick={onEdit}>
              Edit
            </Button>
            <Button variant="quiet" icon={<Unlink size={18} aria-hidden />} onClick={() => setOpen({ what: 'detach' })}>
              Remove from patient
            </Button>
          </>
        )}
      </footer>
      {open?.what === 'detach' && (
        <DetachDialog
          title={`Remove ${name} from the patient?`}
          action="Remove from patient"
          detach={() => detachPolicy(device, policy)}
          onClose={close}
          onDone={() => done('Policy removed')}
        >
          It will be removed from this patient’s record.{' '}
          {policy.holders.length > 1 ? 'Other covered people keep it.' : 'It covers no one else.'} The access log keeps a record of it.
        </DetachDialog>
      )}
      {(open?.what === 'add-holder' || open?.what === 'edit-holder') && (
        <HolderDialog
          policy={policy}
          holder={'holder' in open ? open.holder : null}
          onClose={close}
          onSaved={() => done(open.what === 'add-holder' ? 'Person added' : 'Person updated')}
        />
      )}
      {open?.what === 'detach-holder' && (
        <DetachDialog
          title={
            <>
              Remove <bdi>{open.holder.name ?? 'this person'}</bdi> from the policy?
            </>
          }
          action="Remove from policy"
          detach={() => detachHolder(device, policy, open.holder.id_patient)}
          onClose={close}
          onDone={() => done('Person removed')}
        >
          The policy will be removed from their record. Other covered people keep it.
        </DetachDialog>
      )}
    </section>
  )
}

function Facts({ policy, today }: { policy: Insurance; today: string }) {
  const { benefits } = policy
  const money = (cents: number | null) => cents !== null && formatMoney(cents)
  const frame = money(benefits.frame_allowance_cents)
  const authExpired = policy.auth_expires_at !== null && policy.auth_expires_at < today
  const lenses = lensKinds.flatMap((kind) => {
    const cover = benefits.lens_coverage[kind]
    return cover === null ? [] : [`${lensNames[kind]}: ${coverWords(cover)}`]
  })
  const subscriber = (policy.subscriber_name || policy.subscriber_dob) && (
    <>
      <bdi>{policy.subscriber_name}</bdi>
      {policy.subscriber_name && policy.subscriber_dob && ', '}
      {policy.subscriber_dob && formatDate(policy.subscriber_dob)}
    </>
  )
  const lines: [string, ReactNode][] = [
    ['Member ID', policy.member_id],
    ['Group', policy.group_no],
    ['BIN', policy.bin],
    ['Payer ID', policy.payer_id],
    [
      'Coverage',
      [policy.effective_date ? formatDate(policy.effective_date) : '—', policy.term_date ? formatDate(policy.term_date) : 'present'].join(
        ' – ',
      ),
    ],
    ['Subscriber', policy.relationship !== 'self' && subscriber],
    ['Exam copay', money(benefits.exam_copay_cents)],
    ['Material copay', money(benefits.material_copay_cents)],
    ['Fitting copay', money(benefits.contact_fit_copay_cents)],
    [
      'Frame allowance',
      frame && (benefits.frame_overage_discount_pct ? `${frame}, then ${benefits.frame_overage_discount_pct}% off` : frame),
    ],
    ['Lenses', lenses.join('\n')],
    ['Contact lenses', money(benefits.cl_allowance_cents)],
    ['Network', policy.in_network !== null && (policy.in_network ? 'in network' : 'out of network')],
    [
      'Authorization',
      policy.auth_number &&
        `${policy.auth_number}${policy.auth_expires_at ? `, ${authExpired ? 'expired' : 'until'} ${formatDate(policy.auth_expires_at)}` : ''}`,
    ],
    ['Authorized', policy.services_authorised.map((service) => serviceNames[service]).join(', ')],
    ['Eligibility', policy.eligibility_checked_at && `checked on ${formatDate(policy.eligibility_checked_at)}`],
    ['Payer response', policy.eligibility_raw],
  ]
  return <FactList facts={lines} />
}

function coverWords(cover: LensCover): string {
  if (cover.kind === 'covered') return 'covered'
  return cover.kind === 'copay' ? `${formatMoney(cover.copay_cents)} copay` : `${cover.discount_pct}% off`
}

/** Nobody may use a benefit of a policy that is not in force, even if its last use was long ago. */
function Benefits({
  policy: { benefits, effective_date },
  states,
  state,
}: {
  policy: Insurance
  states: readonly BenefitState[]
  state: ReturnType<typeof policyState>
}) {
  const allowances = { exam: null, lens: null, frame: benefits.frame_allowance_cents, cl: benefits.cl_allowance_cents }
  const standing = (due: string | null) => {
    const from = [due, state === 'upcoming' ? effective_date : null]
      .filter((day) => day !== null)
      .toSorted()
      .at(-1)
    return from === undefined ? 'Eligible now' : `Eligible ${formatDate(from)}`
  }
  if (state === 'ended') {
    return (
      <div>
        <h3 className="mb-1 font-semibold">Benefits</h3>
        <p className="text-ink-2">The policy has ended. It has no benefits.</p>
      </div>
    )
  }
  return (
    <div>
      <h3 className="mb-1 font-semibold">Benefits</h3>
      <ul aria-label="Benefits" className="divide-y divide-line">
        {states.map(({ service, months, lastUsed, due }) => {
          const allowance = allowances[service]
          const facts = [
            months === null ? 'No limit on file' : `every ${formatNumberOf(months, 'month')}`,
            lastUsed && `last used ${formatDate(lastUsed)}`,
            allowance !== null && `${formatMoney(allowance)} ${due === null ? 'remaining' : 'used'}`,
          ].filter((fact) => typeof fact === 'string')
          const words = standing(due)
          return (
            <li key={service} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
              <span className="min-w-28 flex-1">
                {serviceNames[service]}
                <span className="flex flex-wrap gap-x-3 text-sm text-ink-2">
                  {facts.map((fact) => (
                    <span key={fact} className="whitespace-nowrap">
                      {fact}
                    </span>
                  ))}
                </span>
              </span>
              <Badge tone={words === 'Eligible now' ? 'good' : 'warn'}>{words}</Badge>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

type HoldersProps = {
  policy: Insurance
  mayChange: boolean
  onAdd: () => void
  onEdit: (holder: InsuranceHolder) => void
  onDetach: (holder: InsuranceHolder) => void
}

function Holders({ policy, mayChange, onAdd, onEdit, onDetach }: HoldersProps) {
  return (
    <div className="lg:col-span-2">
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-semibold">Covered people</h3>
        {mayChange && (
          <Button variant="quiet" icon={<Plus size={18} aria-hidden />} onClick={onAdd}>
            Add a person
          </Button>
        )}
      </div>
      <ul aria-label="Covered people" className="divide-y divide-line border-t border-line">
        {policy.holders.map((holder) => {
          const isOwn = holder.id_patient === policy.id_patient
          const called = holder.name ?? 'A patient of another store'
          const facts = [
            relationshipNames[holder.relationship],
            holder.priority && priorityNames[holder.priority],
            holder.dob && formatDate(holder.dob),
            holder.ssn_last4 && `SSN •••-••-${holder.ssn_last4}`,
          ]
          return (
            <li key={holder.id_patient} className="flex min-h-tall items-center gap-2 py-1">
              <span className="min-w-0 flex-1">
                <bdi>{called}</bdi>
                {isOwn && <span className="text-ink-2"> (this patient)</span>}
                <span className="block text-sm text-ink-2">{facts.filter(Boolean).join(' · ')}</span>
              </span>
              {mayChange && holder.name !== null && (
                <>
                  <IconButton label={`Edit ${called}`} icon={<Pencil size={18} aria-hidden />} onClick={() => onEdit(holder)} />
                  {!isOwn && (
                    <IconButton label={`Remove ${called}`} icon={<Unlink size={18} aria-hidden />} onClick={() => onDetach(holder)} />
                  )}
                </>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
