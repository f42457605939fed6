import { useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import {
  setDensity,
  setFont,
  setTheme,
  storedDensity,
  storedFont,
  storedTheme,
  type Density,
  type Font,
  type Theme,
} from '#src/ui/theme.ts'
import { showToast } from '#src/ui/toast-store.ts'
import { SettingsSection } from './settings-section.tsx'

const fontOptions: { value: Font; label: string }[] = [
  { value: 'inter', label: 'Inter' },
  { value: 'manrope', label: 'Manrope' },
  { value: 'system', label: 'System' },
]

/** Font, theme and density of this device. */
export function AppearanceTab() {
  const [font, chooseFont] = useState<Font>(storedFont)
  const [theme, chooseTheme] = useState<Theme>(storedTheme)
  const [density, chooseDensity] = useState<Density>(storedDensity)
  return (
    <SettingsSection title="Appearance" about="How Lorgnette looks on this device." kept>
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          setTheme(theme)
          setFont(font)
          setDensity(density)
          showToast({ title: 'Preferences Updated', tone: 'good' })
        }}
      >
        <div className="max-w-60">
          <SelectField label="Font" options={fontOptions} value={font} onChange={chooseFont} />
        </div>
        <RadioGroup
          label="Theme"
          look="cards"
          columns={2}
          value={theme}
          onChange={chooseTheme}
          options={[
            { value: 'light', label: 'Light', hint: <ThemeSample theme="light" /> },
            { value: 'dark', label: 'Dark', hint: <ThemeSample theme="dark" /> },
          ]}
        />
        <RadioGroup
          label="Density"
          look="cards"
          value={density}
          onChange={chooseDensity}
          options={[
            { value: 'auto', label: 'Automatic', hint: 'Compact with a mouse on a wide screen, otherwise comfortable' },
            { value: 'compact', label: 'Compact', hint: 'More rows on the screen, for a mouse' },
            { value: 'comfortable', label: 'Comfortable', hint: 'Large buttons and rows, for touch' },
          ]}
        />
        <div>
          <Button type="submit" variant="primary">
            Update preferences
          </Button>
        </div>
      </form>
    </SettingsSection>
  )
}

/** A small picture of a theme, drawn with its own tokens. */
function ThemeSample({ theme }: { theme: Theme }) {
  return (
    <span data-theme={theme} aria-hidden="true" className="mt-1 flex w-40 gap-2 rounded-md border border-line bg-paper p-2">
      <span className="flex w-8 flex-col gap-1">
        <span className="h-2 rounded-sm bg-accent" />
        <span className="h-2 rounded-sm bg-line" />
        <span className="h-2 rounded-sm bg-line" />
      </span>
      <span className="flex flex-1 flex-col gap-1 rounded-sm bg-surface p-1.5">
        <span className="h-2 w-2/3 rounded-sm bg-ink" />
        <span className="h-2 rounded-sm bg-line-strong" />
        <span className="h-2 w-1/2 rounded-sm bg-brass" />
      </span>
    </span>
  )
}
