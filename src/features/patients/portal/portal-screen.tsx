import { Inbox, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { type TabDefinition, Tabs } from '#src/ui/tabs.tsx'
import { InviteDialog } from './components/invite-dialog.tsx'
import { IntakeList } from './components/intake-list.tsx'
import { InvitationList } from './components/invitation-list.tsx'
import { MessageList } from './components/message-list.tsx'
import { PickPatientDialog } from './components/pick-patient-dialog.tsx'
import { useSummary } from './queries.ts'
import { isPortalPart, offlineWords, type PortalPart } from './words.ts'

/** The clinic's side of the patient portal. `invite` is the patient to invite on opening, `part` the list to show. */
export function PortalScreen({ invite, part, onInvited }: { invite: string | null; part: string | null; onInvited: () => void }) {
  const permissions = useSession((session) => session.home?.permissions)
  const mayInvite = permissions?.includes('patient.write') === true
  const [isPicking, setPicking] = useState(false)
  const [inviting, setInviting] = useState<string | null>(null)
  // Each change raises this number, which loads the lists again.
  const [round, setRound] = useState(0)
  const chosen = inviting ?? invite
  if (!permissions?.includes('patient.read')) {
    return (
      <>
        <PageHeader title="Patient portal" />
        <EmptyState icon={<ShieldAlert aria-hidden />} title="You don’t have access to this page" />
      </>
    )
  }
  return (
    <>
      <PageHeader
        title="Patient portal"
        actions={
          mayInvite && (
            <Button variant="primary" onClick={() => setPicking(true)}>
              Invite a patient
            </Button>
          )
        }
      >
        Invitations, consents, patient messages and forms
      </PageHeader>
      <Parts key={round} first={isPortalPart(part) ? part : 'invitations'} mayRead={permissions.includes('message.read')} />
      {isPicking && (
        <PickPatientDialog
          onClose={() => setPicking(false)}
          onPick={(id) => {
            setPicking(false)
            setInviting(id)
          }}
        />
      )}
      {chosen !== null && mayInvite && (
        <InviteDialog
          idPatient={chosen}
          purpose="invite"
          onClose={(isChanged) => {
            setInviting(null)
            if (invite !== null) onInvited()
            if (isChanged) setRound(round + 1)
          }}
        />
      )}
    </>
  )
}

function Parts({ first, mayRead }: { first: PortalPart; mayRead: boolean }) {
  const { value, failure, reload } = useSummary()
  const [part, setPart] = useState<PortalPart>(first)
  if (!value) {
    return failure ? (
      <NotLoaded failure={failure} offline={offlineWords} onRetry={() => void reload()} />
    ) : (
      <Skeleton lines={5} height="row" />
    )
  }
  const { invitations, messages, unread, intakes } = value
  if (invitations === 0 && messages === 0 && intakes === 0) {
    return (
      <EmptyState icon={<Inbox aria-hidden />} title="No portal activity.">
        Invite a patient to choose how you contact them, fill out their form before the visit, and message you.
      </EmptyState>
    )
  }
  const tabs: TabDefinition<PortalPart>[] = [
    { key: 'invitations', label: 'Invitations', count: invitations },
    // One number is enough: the unread messages if there are any, otherwise all waiting ones.
    ...(mayRead
      ? [
          unread > 0
            ? { key: 'messages' as const, label: 'Unread messages', count: unread }
            : { key: 'messages' as const, label: 'Messages', count: messages },
        ]
      : []),
    { key: 'forms', label: 'Forms', count: intakes },
  ]
  const onChanged = () => void reload()
  return (
    <Tabs label="Parts of the portal" tabs={tabs} selected={part} onSelect={setPart}>
      <div className="pt-4">
        {part === 'invitations' && <InvitationList onChanged={onChanged} />}
        {part === 'messages' && <MessageList onChanged={onChanged} />}
        {part === 'forms' && <IntakeList onChanged={onChanged} />}
      </div>
    </Tabs>
  )
}
