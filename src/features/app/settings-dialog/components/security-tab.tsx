import { lockTime } from '#contract/settings/lock-time.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { SettingsSection } from './settings-section.tsx'

/** Says when this tablet locks. A manager sets the time for the whole store. */
export function SecurityTab() {
  const minutes = useSession((session) => session.home?.lock_minutes) ?? lockTime.usual
  return (
    <SettingsSection title="Security" about="When this tablet locks, for everyone who uses it." kept>
      <p>
        This tablet locks after {minutes === 1 ? '1 minute' : `${minutes} minutes`} without use. Unlock it with your password or PIN; your
        work stays.
      </p>
      <p className="mt-2 text-ink-2">A manager changes the time for the whole store in Settings, under Tablets.</p>
    </SettingsSection>
  )
}
