import { useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/forms/checkbox.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { Switch } from '#src/ui/forms/switch.tsx'
import { SettingsSection } from './settings-section.tsx'

const emails = [
  { key: 'communication', label: 'Communication emails', hint: 'Emails about your account activity.' },
  { key: 'marketing', label: 'Marketing emails', hint: 'Emails about new products and features.' },
  { key: 'social', label: 'Social emails', hint: 'Emails about what colleagues share with you.' },
  { key: 'security', label: 'Security emails', hint: 'Emails about the security of your account.' },
] as const

/** Chooses the notifications and their channels. Not wired to any call. */
export function NotificationsTab() {
  const [about, setAbout] = useState<'all' | 'direct' | 'none'>('all')
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set(['security']))
  const [mobile, setMobile] = useState(false)
  return (
    <SettingsSection title="Notifications" about="Choose what you’re notified about, and how.">
      <form className="flex flex-col gap-5" onSubmit={(event) => event.preventDefault()}>
        <RadioGroup
          label="Notify me about…"
          value={about}
          onChange={setAbout}
          options={[
            { value: 'all', label: 'All new messages' },
            { value: 'direct', label: 'Direct messages and mentions' },
            { value: 'none', label: 'Nothing' },
          ]}
        />
        <div>
          <h3 className="mb-1 text-sm font-medium text-ink-2">Email notifications</h3>
          <div className="divide-y divide-line rounded-md border border-line px-4">
            {emails.map(({ key, label, hint }) => (
              <Switch
                key={key}
                label={label}
                hint={hint}
                checked={wanted.has(key)}
                onChange={(on) => {
                  const next = new Set(wanted)
                  if (on) next.add(key)
                  else next.delete(key)
                  setWanted(next)
                }}
              />
            ))}
          </div>
        </div>
        <Checkbox
          label="Use different settings for my mobile devices"
          hint="You can manage your mobile notifications in the mobile settings."
          checked={mobile}
          onChange={setMobile}
        />
        <div>
          <Button type="submit" variant="primary">
            Update notifications
          </Button>
        </div>
      </form>
    </SettingsSection>
  )
}
