import { ShieldAlert, Tablet as TabletIcon } from 'lucide-react'
import { useState } from 'react'
import type { Tablet } from '#contract/people/tablets.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatTime } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { HeldWork } from './components/held-work.tsx'
import { LockTime } from './components/lock-time.tsx'
import { RevokeDialog } from './components/revoke-dialog.tsx'
import { TabletRows, tabletHeadingId } from './components/tablet-rows.tsx'
import { type TabletList, useTablets } from './queries.ts'

const needsServer = 'Other tablets are available online. See this tablet’s work in the Sync center.'

/** Settings → Tablets, for managers: the tablets of their stores, their unsent work, and revoking one. */
export function TabletsScreen() {
  const home = useSession((session) => session.home)
  if (!home) return null
  return (
    <>
      <PageHeader title="Tablets" caption="Settings">
        Who uses each tablet, when it was last online, and its unsent work
      </PageHeader>
      {home.permissions.includes('settings.tablets') ? (
        <Tablets timeZone={home.locations.find((store) => store.store_id === home.store_id)?.time_zone} />
      ) : (
        <EmptyState icon={<ShieldAlert aria-hidden />} title="Managers only">
          See this device’s work, and whether it was sent, in the Sync center.
        </EmptyState>
      )}
    </>
  )
}

function Tablets({ timeZone }: { timeZone: string | undefined }) {
  const isOffline = useConnection((connection) => connection.online) === false
  const { value, failure, reload } = useTablets()
  const [revoking, setRevoking] = useState<Tablet | null>(null)

  async function revoked(tablet: Tablet) {
    setRevoking(null)
    showToast({ title: `${tablet.name} revoked`, description: 'Its user must sign in again.', tone: 'good' })
    await reload()
    // The pressed button is gone, so the focus goes to the tablet's heading.
    document.getElementById(tabletHeadingId(tablet))?.focus()
  }

  if (!value) {
    return failure ? (
      <NotLoaded failure={failure} offline={needsServer} onRetry={() => void reload()} />
    ) : (
      <Skeleton lines={4} height="row" />
    )
  }
  const asOf = formatTime(value.server_time, timeZone)
  return (
    <div className="flex flex-col gap-4">
      {isOffline && (
        <Notice tone="warn" title="No connection">
          As of {asOf}. You can revoke tablets when you’re back online.
        </Notice>
      )}
      {!isOffline && failure && (
        <Notice tone="warn" title="Couldn’t refresh" actions={<Button onClick={() => void reload()}>Try again</Button>}>
          As of {asOf}. {failure.message}
        </Notice>
      )}
      <LockTime />
      <HeldWork timeZone={timeZone} />
      <Listed list={value} onRevoke={isOffline ? null : setRevoking} />
      {revoking && <RevokeDialog tablet={revoking} onClose={() => setRevoking(null)} onRevoked={() => void revoked(revoking)} />}
    </div>
  )
}

function Listed({ list, onRevoke }: { list: TabletList; onRevoke: ((tablet: Tablet) => void) | null }) {
  const { deviceId } = useDevice()
  if (list.tablets.length === 0) {
    return (
      <EmptyState icon={<TabletIcon aria-hidden />} title="No tablets yet">
        A tablet appears here when someone signs in on it. Tablets inactive for 90 days with no unsent work are removed from the list.
      </EmptyState>
    )
  }
  const stores = new Map(list.tablets.map(({ store_id, store_name }) => [store_id, store_name]))
  return [...stores].map(([id, name]) => (
    <section key={id} aria-label={name}>
      <h2 className="mb-2 text-lg font-semibold">{name}</h2>
      <TabletRows tablets={list.tablets.filter(({ store_id }) => store_id === id)} list={list} ownId={deviceId} onRevoke={onRevoke} />
    </section>
  ))
}
