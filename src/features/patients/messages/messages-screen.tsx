import { Mail, MessageSquare, MessagesSquare, Phone } from 'lucide-react'
import { useState } from 'react'
import { type Channel, channels, type Contact, type Message } from '#contract/patients/messages.ts'
import { useConnection, useSession } from '#src/sync/react/device-context.tsx'
import { useBegunDrafts } from '#src/sync/react/use-draft.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { CallDialog } from './components/call-dialog.tsx'
import { ConsentDialog } from './components/consent-dialog.tsx'
import { ContactCard } from './components/contact-card.tsx'
import { HistoryList } from './components/history-list.tsx'
import { WriteDialog } from './components/write-dialog.tsx'
import { type Draft, draftPlace } from './model/drafts.ts'
import { type Histories, mergedHistory } from './model/merged-history.ts'
import { useContact, useHistories } from './queries.ts'
import { channelWords } from './words.ts'

type Opened = { what: Channel; beginning: Partial<Draft> | null } | { what: 'consent' }

const icons = { sms: <MessageSquare aria-hidden size={18} />, email: <Mail aria-hidden size={18} />, call: <Phone aria-hidden size={18} /> }
const verbs = { sms: 'Write a text', email: 'Write an email', call: 'Log a call' } as const

/** The Messages tab of a patient: their texts, emails and calls, their consent, and the next message. */
export function MessagesScreen({ idPatient }: { idPatient: string }) {
  const home = useSession((session) => session.home)
  const isOffline = useConnection((connection) => connection.online) === false
  const contact = useContact(idPatient)
  const histories = useHistories(idPatient)
  const [opened, setOpened] = useState<Opened | null>(null)
  const begun = useBegunDrafts(
    channels.map((channel) => draftPlace(idPatient, channel)),
    opened === null,
  )
  if (!home) return null
  const timeZone = home.locations.find((store) => store.store_id === home.store_id)?.time_zone
  const mayWrite = home.permissions.includes('message.write')
  const reload = () => void Promise.all([contact.reload(), histories.reload()])
  const failure = histories.failure ?? contact.failure

  if (!contact.value || !histories.value) {
    if (!failure) return <Skeleton lines={5} height="row" />
    const offline = 'Messages are on the server, which can’t be reached right now. Your draft is kept on this device.'
    return <NotLoaded failure={failure} title="Couldn’t load messages" offline={offline} onRetry={reload} />
  }
  const close = () => setOpened(null)
  const done = (title: string) => {
    close()
    showToast({ title, tone: 'good' })
    reload()
  }
  return (
    <div className="flex flex-col gap-4">
      {isOffline && (
        <Notice tone="warn" title="No connection">
          This list may be out of date. You can send messages and save calls when you’re back online. What you type is kept on this device.
        </Notice>
      )}
      {!isOffline && failure && (
        <Notice tone="warn" title="Couldn’t refresh" actions={<Button onClick={reload}>Try again</Button>}>
          {failure.message}
        </Notice>
      )}
      {mayWrite && (
        <div className="flex flex-wrap gap-2">
          {channels.map((channel) => (
            <Button key={channel} icon={icons[channel]} onClick={() => setOpened({ what: channel, beginning: null })}>
              {begun.has(draftPlace(idPatient, channel)) ? `Continue ${channelWords[channel].aOne}` : verbs[channel]}
            </Button>
          ))}
        </div>
      )}
      <ContactCard
        contact={contact.value}
        timeZone={timeZone}
        onChange={mayWrite && !isOffline ? () => setOpened({ what: 'consent' }) : null}
      />
      <History
        histories={histories.value}
        timeZone={timeZone}
        onOlder={histories.showOlder}
        onAgain={mayWrite ? (message) => setOpened({ what: message.channel, beginning: againOf(message) }) : null}
      />
      {opened && (
        <Dialogs opened={opened} idPatient={idPatient} contact={contact.value} timeZone={timeZone} onClose={close} onDone={done} />
      )}
    </div>
  )
}

function Dialogs({
  opened,
  idPatient,
  contact,
  timeZone,
  onClose,
  onDone,
}: {
  opened: Opened
  idPatient: string
  contact: Contact
  timeZone: string | undefined
  onClose: () => void
  onDone: (title: string) => void
}) {
  const common = { idPatient, contact, onClose }
  if (opened.what === 'consent') return <ConsentDialog {...common} onSaved={() => onDone('Consent saved')} />
  if (opened.what === 'call') return <CallDialog {...common} timeZone={timeZone} onLogged={() => onDone('Call saved')} />
  const { what: channel, beginning } = opened
  const title = `The ${channelWords[channel].one.toLowerCase()} is being sent`
  return <WriteDialog {...common} channel={channel} beginning={beginning} onSent={() => onDone(title)} />
}

function History({
  histories,
  timeZone,
  onOlder,
  onAgain,
}: {
  histories: Histories
  timeZone: string | undefined
  onOlder: () => void
  onAgain: ((message: Message) => void) | null
}) {
  const [filter, setFilter] = useState<Channel | 'all'>('all')
  const { messages, hasOlder } = mergedHistory(histories, filter === 'all' ? channels : [filter])
  const total = channels.reduce((sum, channel) => sum + histories[channel].total, 0)
  const tabs = [
    { key: 'all' as const, label: 'All', count: total },
    ...channels.map((channel) => ({ key: channel, label: channelWords[channel].many, count: histories[channel].total })),
  ]
  return (
    <Tabs label="Which messages" tabs={tabs} selected={filter} onSelect={setFilter}>
      <div className="flex flex-col gap-3 pt-3">
        {messages.length === 0 ? (
          <EmptyState
            icon={<MessagesSquare aria-hidden />}
            title={`No ${filter === 'all' ? 'messages' : channelWords[filter].many.toLowerCase()} yet`}
          >
            Texts and emails sent from here and logged calls appear here.
          </EmptyState>
        ) : (
          <HistoryList messages={messages} timeZone={timeZone} onAgain={onAgain} />
        )}
        {hasOlder && (
          <div className="flex justify-center">
            <Button onClick={onOlder}>Show older</Button>
          </div>
        )}
      </div>
    </Tabs>
  )
}

function againOf({ subject, body, template }: Message): Partial<Draft> {
  return { subject: subject ?? '', text: body, template }
}
