import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { isView } from '#src/sync/engine/lane-numbers.ts'
import { unsentWork } from '#src/sync/device/unsent-work.ts'
import { Button } from '#src/ui/button.tsx'
import { formatDateTime } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { sendNow } from './actions.ts'
import { chipWords } from './model/chip-words.ts'
import { AttentionList } from './components/attention-list.tsx'
import { DevicePanel } from './components/device-panel.tsx'
import { ReceiptList } from './components/receipt-list.tsx'
import { UnsentFiles } from './components/unsent-files.tsx'
import { WaitingList } from './components/waiting-list.tsx'
import { useOutbox, useKnownNames, useWarnings } from './queries.ts'
import { useNow } from './hooks/use-now.ts'

type Tab = 'waiting' | 'attention' | 'receipts' | 'device'

/** Shows this device's unsent work, the commands that the server refused, and the receipts. */
export function SyncCenterScreen() {
  const device = useDevice()
  const connection = useConnection((state) => state)
  const home = useSession((session) => session.home)
  const outbox = useOutbox()
  const names = useKnownNames()
  const warnings = useWarnings()
  const now = useNow(15_000)
  const [chosen, setTab] = useState<Tab | null>(null)
  const [isSending, setSending] = useState(false)
  const timeZone = home?.locations.find((location) => location.store_id === home.store_id)?.time_zone
  const { waiting = 0, refused = 0 } = connection.files ?? {}
  const views = outbox?.filter((command) => isView(command) && command.state !== 'needs-attention').length ?? 0
  const needsAttention = outbox?.filter((command) => command.state === 'needs-attention').length ?? 0
  // Show work that needs a user first. After that, the user's choice stays.
  const tab = chosen ?? (needsAttention + refused > 0 ? 'attention' : 'waiting')

  async function send() {
    setSending(true)
    try {
      showToast(await sendNow(device))
    } catch {
      showToast({ title: 'Not sent', description: 'Couldn’t read this device’s storage. Reload the page.', tone: 'bad' })
    } finally {
      setSending(false)
    }
  }

  return (
    <div className="flex h-full min-h-[70vh] flex-col">
      <PageHeader
        title="Sync center"
        actions={
          <Button variant="primary" icon={<RefreshCw size={18} aria-hidden />} busy={isSending} onClick={() => void send()}>
            Send now
          </Button>
        }
      >
        {chipWords(connection, now).text}
        {connection.lastSyncedAt !== null && `. Last synced ${formatDateTime(connection.lastSyncedAt, timeZone)}`}
      </PageHeader>
      {warnings.map(({ title, text, dismiss }) => (
        <div key={title} className="mb-4">
          <Notice tone="warn" title={title} actions={<Button onClick={dismiss}>Got it</Button>}>
            {text}
          </Notice>
        </div>
      ))}
      {outbox === undefined ? (
        <Spinner label="Loading…" />
      ) : (
        <Tabs
          label="Sync center"
          fill
          tabs={[
            {
              key: 'waiting',
              label: 'Waiting',
              count: unsentWork({ unsent: outbox.length - needsAttention, views, files: connection.files }),
            },
            { key: 'attention', label: 'Needs attention', count: needsAttention + refused },
            { key: 'receipts', label: 'Receipts' },
            { key: 'device', label: 'This device' },
          ]}
          selected={tab}
          onSelect={setTab}
        >
          {tab === 'waiting' && waiting > 0 && (
            <UnsentFiles only="waiting" isAlone={outbox.length === needsAttention} timeZone={timeZone} />
          )}
          {tab === 'waiting' && (waiting === 0 || outbox.length > needsAttention) && (
            <WaitingList outbox={outbox} names={names} now={now} timeZone={timeZone} />
          )}
          {tab === 'attention' && refused > 0 && <UnsentFiles only="refused" isAlone={needsAttention === 0} timeZone={timeZone} />}
          {tab === 'attention' && (refused === 0 || needsAttention > 0) && (
            <AttentionList outbox={outbox} names={names} timeZone={timeZone} />
          )}
          {tab === 'receipts' && <ReceiptList timeZone={timeZone} />}
          {tab === 'device' && <DevicePanel />}
        </Tabs>
      )}
    </div>
  )
}
