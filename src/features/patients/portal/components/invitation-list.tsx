import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type InvitationState, invitationStates, type PortalInvitation } from '#contract/patients/portal.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatDate, formatDateTime } from '#src/ui/format.ts'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { useInvitations } from '../queries.ts'
import { deliveryWords, stateWords } from '../words.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { PagedList } from './paged-list.tsx'
import { RevokeInvitationDialog } from './revoke-invitation-dialog.tsx'

type Act = { what: 'resend' | 'preview' | 'revoke'; invitation: PortalInvitation }

/** The invited patients, the state of each invitation, and the patients' consents. */
export function InvitationList({ onChanged }: { onChanged: () => void }) {
  const mayInvite = useSession((session) => session.home?.permissions.includes('patient.write')) === true
  const timeZone = useSession(({ home }) => home?.locations.find((store) => store.store_id === home.store_id)?.time_zone)
  const [status, setStatus] = useState<InvitationState | null>(null)
  const [act, setAct] = useState<Act | null>(null)
  const list = useInvitations(status)

  function closed(isChanged: boolean) {
    setAct(null)
    if (!isChanged) return
    void list.reload()
    onChanged()
  }

  return (
    <div className="flex flex-col gap-4">
      <div className="max-w-60">
        <SelectField
          label="Status"
          options={[{ value: 'all', label: 'All' }, ...invitationStates.map((state) => ({ value: state, label: stateWords[state].word }))]}
          value={status ?? 'all'}
          onChange={(chosen) => setStatus(chosen === 'all' ? null : chosen)}
        />
      </div>
      <PagedList list={list} label="Invitations" empty="No invitations with this status.">
        {(invitation) => (
          <Row invitation={invitation} timeZone={timeZone} onAct={mayInvite ? (what) => setAct({ what, invitation }) : null} />
        )}
      </PagedList>
      {act?.what === 'revoke' && <RevokeInvitationDialog invitation={act.invitation} onClose={closed} />}
      {act && act.what !== 'revoke' && <InviteDialog idPatient={act.invitation.id_patient} purpose={act.what} onClose={closed} />}
    </div>
  )
}

type RowProps = { invitation: PortalInvitation; timeZone: string | undefined; onAct: ((what: Act['what']) => void) | null }

function Row({ invitation, timeZone, onAct }: RowProps) {
  const { patient_name: name, status, link } = invitation
  return (
    <div className="grid gap-x-6 gap-y-3 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2">
          <Link
            to="/patient/$id_patient"
            params={{ id_patient: invitation.id_patient }}
            className="inline-flex min-h-target items-center font-semibold wrap-anywhere underline decoration-line-strong underline-offset-4"
          >
            <bdi>{name}</bdi>
          </Link>
          <Badge tone={stateWords[status].tone}>{stateWords[status].word}</Badge>
          {link === 'locked' && <Badge tone="warn">Locked: wrong dates of birth</Badge>}
          {link === 'ended' && status === 'accepted' && <Badge tone="neutral">Link expired</Badge>}
        </div>
        <p className="text-sm wrap-anywhere text-ink-2">
          {deliveryWords(invitation)}, {formatDateTime(invitation.sent_at, timeZone)}, by <bdi>{invitation.sent_by}</bdi>
          {invitation.sends > 1 && `, sent ${invitation.sends} times`}
        </p>
        <p className="text-sm text-ink-2">
          {invitation.accepted_at ? `Accepted ${formatDateTime(invitation.accepted_at, timeZone)}` : 'Not accepted'}
          {link !== 'ended' && `. Link expires ${formatDateTime(invitation.expires_at, timeZone)}`}
        </p>
        <Consents invitation={invitation} timeZone={timeZone} />
      </div>
      {onAct && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => onAct('preview')} aria-label={`Preview for ${name}`}>
            Preview
          </Button>
          {status !== 'revoked' && (
            <>
              <Button onClick={() => onAct('resend')} aria-label={`Resend to ${name}`}>
                Resend
              </Button>
              <Button onClick={() => onAct('revoke')} aria-label={`Revoke ${name}`}>
                Revoke
              </Button>
            </>
          )}
        </div>
      )}
    </div>
  )
}

function Consents({ invitation, timeZone }: { invitation: PortalInvitation; timeZone: string | undefined }) {
  const given: [string, string | null][] = [
    ['SMS', invitation.sms_consent_at],
    ['Email', invitation.email_consent_at],
    ['Privacy notice', invitation.hipaa_ack_at],
  ]
  return (
    <dl className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {given.map(([what, at]) => (
        <div key={what}>
          <dt className="text-ink-2">{what}</dt>
          <dd className="font-medium">{at === null ? 'No' : `Yes, ${formatDate(at, timeZone)}`}</dd>
        </div>
      ))}
    </dl>
  )
}
