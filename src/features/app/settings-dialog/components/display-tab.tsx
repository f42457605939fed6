import { useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/forms/checkbox.tsx'
import { SettingsSection } from './settings-section.tsx'

const items = ['Recents', 'Home', 'Applications', 'Desktop', 'Downloads', 'Documents'] as const

/** Chooses the sidebar's items. Not wired to any call. */
export function DisplayTab() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['Recents', 'Home']))
  return (
    <SettingsSection title="Display" about="Turn items on or off to control what is displayed.">
      <form className="flex flex-col gap-5" onSubmit={(event) => event.preventDefault()}>
        <fieldset>
          <legend className="text-sm font-medium text-ink-2">Sidebar</legend>
          <p className="text-xs text-ink-3">Select the items you want to display in the sidebar.</p>
          <div className="mt-2 grid sm:grid-cols-2">
            {items.map((item) => (
              <Checkbox
                key={item}
                label={item}
                checked={chosen.has(item)}
                onChange={(on) => {
                  const next = new Set(chosen)
                  if (on) next.add(item)
                  else next.delete(item)
                  setChosen(next)
                }}
              />
            ))}
          </div>
        </fieldset>
        <div>
          <Button type="submit" variant="primary">
            Update display
          </Button>
        </div>
      </form>
    </SettingsSection>
  )
}
