import { useEffect } from 'react'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { readSettings } from './actions.ts'
import { SettingsForm } from './components/settings-form.tsx'

/** Settings → Inventory: the rules of the user's store. Everyone can read them, managers change them. */
export function InventorySettingsScreen() {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const isOffline = useConnection((connection) => connection.online) === false
  const store = home?.store_id

  useEffect(() => {
    // The answer goes into the session. After a failure the session's copy shows, and the connection explains why.
    if (store !== undefined && !isOffline) void readSettings(device)
  }, [device, store, isOffline])

  if (!home) return null
  const mayChange = home.permissions.includes('settings.inventory')
  return (
    <>
      <PageHeader title="Inventory" windowTitle="Inventory settings" caption={`Settings · ${home.store_name}`}>
        How this store counts, and what staff can do with frames
      </PageHeader>
      <SettingsForm key={home.store_id} current={home.store_settings} locked={whyLocked(mayChange, isOffline)} />
    </>
  )
}

function whyLocked(mayChange: boolean, isOffline: boolean): { short: string; reason: string } | null {
  if (!mayChange) return { short: 'for managers', reason: 'Only managers can change these settings.' }
  if (!isOffline) return null
  const reason = 'You’re offline. These settings may be out of date. You need a connection to change them.'
  return { short: 'no connection', reason }
}
