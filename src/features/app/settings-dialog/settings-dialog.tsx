import { Bell, Lock, Monitor, Palette, UserRound, Wrench } from 'lucide-react'
import { useState } from 'react'
import { Dialog } from '#src/ui/dialog.tsx'
import { Tabs, type TabDefinition } from '#src/ui/tabs.tsx'
import { AccountTab } from './components/account-tab.tsx'
import { AppearanceTab } from './components/appearance-tab.tsx'
import { DisplayTab } from './components/display-tab.tsx'
import { NotificationsTab } from './components/notifications-tab.tsx'
import { ProfileTab } from './components/profile-tab.tsx'
import { SecurityTab } from './components/security-tab.tsx'

export type SettingsTab = 'profile' | 'account' | 'appearance' | 'notifications' | 'display' | 'security'

const tabs: TabDefinition<SettingsTab>[] = [
  { key: 'profile', label: 'Profile', icon: <UserRound size={18} aria-hidden /> },
  { key: 'account', label: 'Account', icon: <Wrench size={18} aria-hidden /> },
  { key: 'appearance', label: 'Appearance', icon: <Palette size={18} aria-hidden /> },
  { key: 'notifications', label: 'Notifications', icon: <Bell size={18} aria-hidden /> },
  { key: 'display', label: 'Display', icon: <Monitor size={18} aria-hidden /> },
  { key: 'security', label: 'Security', icon: <Lock size={18} aria-hidden /> },
]

/** A user's own settings. Appearance and security work. The specification wires the other tabs to no call. */
export function SettingsDialog({ open, onClose, firstTab = 'profile' }: { open: boolean; onClose: () => void; firstTab?: SettingsTab }) {
  return (
    <Dialog open={open} onClose={onClose} size="full" title="Settings" closeOnOutside={false}>
      <SettingsTabs firstTab={firstTab} />
    </Dialog>
  )
}

function SettingsTabs({ firstTab }: { firstTab: SettingsTab }) {
  const [selected, setSelected] = useState(firstTab)
  return (
    <Tabs label="Settings" orientation="side" tabs={tabs} selected={selected} onSelect={setSelected}>
      <div className="max-w-[44rem] pb-4">
        {selected === 'profile' && <ProfileTab />}
        {selected === 'account' && <AccountTab />}
        {selected === 'appearance' && <AppearanceTab />}
        {selected === 'notifications' && <NotificationsTab />}
        {selected === 'display' && <DisplayTab />}
        {selected === 'security' && <SecurityTab />}
      </div>
    </Tabs>
  )
}
