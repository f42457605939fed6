import { useState } from 'react'
import { useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { DateField } from '#src/ui/forms/date-field.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { SettingsSection } from './settings-section.tsx'

const languages = [
  { value: 'en', label: 'English' },
  { value: 'fr', label: 'French' },
  { value: 'de', label: 'German' },
  { value: 'es', label: 'Spanish' },
  { value: 'pt', label: 'Portuguese' },
] as const

type Language = (typeof languages)[number]['value']

/** Name, date of birth and language. No call saves them. */
export function AccountTab() {
  const home = useSession((session) => session.home)
  const [name, setName] = useState(home ? `${home.first_name} ${home.last_name}`.trim() : '')
  const [birth, setBirth] = useState('')
  const [language, setLanguage] = useState<Language>('en')
  return (
    <SettingsSection title="Account" about="Your name, date of birth and preferred language.">
      <form className="flex flex-col gap-4" onSubmit={(event) => event.preventDefault()}>
        <TextField label="Name" value={name} onChange={setName} autoComplete="name" />
        <div className="grid gap-4 sm:grid-cols-2">
          <DateField label="Date of birth" value={birth} onChange={setBirth} autoComplete="bday" />
          <SelectField label="Language" options={languages} value={language} onChange={setLanguage} />
        </div>
        <div>
          <Button type="submit" variant="primary">
            Update account
          </Button>
        </div>
      </form>
    </SettingsSection>
  )
}
