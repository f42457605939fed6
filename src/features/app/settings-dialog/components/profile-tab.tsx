import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { SettingsSection } from './settings-section.tsx'

/** A sample of a profile. It sends nothing. */
export function ProfileTab() {
  const home = useSession((session) => session.home)
  const [username, setUsername] = useState(home?.username ?? '')
  const [email, setEmail] = useState(home?.email ?? '')
  const [bio, setBio] = useState('')
  const [urls, setUrls] = useState([''])
  return (
    <SettingsSection title="Profile" about="This is how others will see you.">
      <form className="flex flex-col gap-4" onSubmit={(event) => event.preventDefault()}>
        <TextField
          label="Username"
          hint="Your public display name: your real name or a pseudonym. You can only change it once every 30 days."
          value={username}
          onChange={setUsername}
          autoComplete="username"
        />
        <SelectField
          label="Email"
          placeholder="Select a verified email to display"
          options={home ? [{ value: home.email, label: home.email }] : []}
          value={email}
          onChange={setEmail}
        />
        <TextArea label="Bio" value={bio} onChange={setBio} maxLength={160} placeholder="Tell us a little about yourself" />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-sm font-medium text-ink-2">URLs</legend>
          <p className="text-xs text-ink-3">Links to your website, blog, or social media profiles.</p>
          {urls.map((url, at) => (
            <TextField
              // The list only grows, so the position identifies the row.
              key={at}
              label={`URL ${at + 1}`}
              hideLabel
              type="url"
              inputMode="url"
              placeholder="https://"
              value={url}
              onChange={(value) => setUrls(urls.map((each, other) => (other === at ? value : each)))}
            />
          ))}
          <div>
            <Button icon={<Plus size={18} aria-hidden />} onClick={() => setUrls([...urls, ''])}>
              Add URL
            </Button>
          </div>
        </fieldset>
        <div>
          <Button type="submit" variant="primary">
            Update profile
          </Button>
        </div>
      </form>
    </SettingsSection>
  )
}
