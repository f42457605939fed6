import { useState } from 'react'
import { lockMinutes, minutesKey } from '#src/sync/device/idling.ts'
import { Button } from '#src/ui/button.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { SettingsSection } from './settings-section.tsx'

const choices = [1, 2, 5, 10, 15, 20, 30, 45, 60]
const options = choices.map((minutes) => ({ value: String(minutes), label: minutes === 1 ? '1 minute' : `${minutes} minutes` }))

/** Sets after how many idle minutes this tablet locks. */
export function SecurityTab() {
  const [minutes, setMinutes] = useState(() => String(lockMinutes(localStorage)))
  return (
    <SettingsSection title="Security" about="When this tablet locks, for everyone who uses it." kept>
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          try {
            localStorage.setItem(minutesKey, minutes)
            showToast({ title: 'Preferences Updated', tone: 'good' })
          } catch {
            showToast({ title: 'Couldn’t save this', description: 'This browser won’t store data for this page.', tone: 'bad' })
          }
        }}
      >
        <div className="max-w-80">
          <SelectField
            label="Lock after"
            hint="The tablet locks after this long without use. Unlock it with your password or PIN. Your work stays."
            options={options}
            value={minutes}
            onChange={setMinutes}
          />
        </div>
        <div>
          <Button type="submit" variant="primary">
            Update preferences
          </Button>
        </div>
      </form>
    </SettingsSection>
  )
}
