import { Bell, Clock, CreditCard, LogOut, Sparkles, UserRound } from 'lucide-react'
import { MenuItem, MenuSeparator } from '#src/ui/menu.tsx'

export type UserMenuActions = {
  onAccount: () => void
  onNotifications: () => void
  onClock: () => void
  onLogOut: () => void
}

export function UserMenuItems({ onAccount, onNotifications, onClock, onLogOut }: UserMenuActions) {
  return (
    <>
      <MenuItem icon={<Sparkles aria-hidden />} disabled>
        Upgrade to Pro
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<UserRound aria-hidden />} onSelect={onAccount}>
        Account
      </MenuItem>
      <MenuItem icon={<CreditCard aria-hidden />} disabled>
        Billing
      </MenuItem>
      <MenuItem icon={<Bell aria-hidden />} onSelect={onNotifications}>
        Notifications
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Clock aria-hidden />} onSelect={onClock}>
        Clock In/Out
      </MenuItem>
      <MenuItem icon={<LogOut aria-hidden />} onSelect={onLogOut}>
        Log out
      </MenuItem>
    </>
  )
}
