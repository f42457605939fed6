import { Download, Upload } from 'lucide-react'
import { useEffect, useRef, useState, type SyntheticEvent } from 'react'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatBytes } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import type { Told } from '../actions.ts'
import { downloadUnsent, importUnsent } from '../actions.ts'
import { useStorageFacts } from '../queries.ts'

/** This device: its name, its storage, and the file that moves its work to another device. */
export function DevicePanel() {
  return (
    <div className="grid max-w-4xl gap-8 pt-4 lg:grid-cols-2">
      <DeviceName />
      <Storage />
      <UnsentFile />
    </div>
  )
}

function DeviceName() {
  const device = useDevice()
  const [name, setName] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  useEffect(() => {
    let isCurrent = true
    void device.name().then((stored) => {
      if (isCurrent) setName(stored)
    })
    return () => {
      isCurrent = false
    }
  }, [device])

  async function save(event: SyntheticEvent) {
    event.preventDefault()
    if (name === null) return
    if (name.trim() === '') return setError('This field is required')
    setError(undefined)
    try {
      await device.rename(name.trim())
      showToast({ title: 'Name saved', tone: 'good' })
    } catch {
      setError('NOT SAVED. Couldn’t write to this device’s storage. Try again.')
    }
  }

  return (
    <section aria-labelledby="device-name-title">
      <h2 id="device-name-title" className="mb-2 text-lg font-semibold">
        This device
      </h2>
      {/* The field waits for the stored name, which would otherwise arrive in the middle of the user's typing. */}
      {name !== null && (
        <form onSubmit={(event) => void save(event)} noValidate className="flex flex-col items-start gap-3">
          <TextField
            label="Name of this device"
            hint="Others see it on count sheets used on this device"
            required
            maxLength={120}
            value={name}
            onChange={setName}
            error={error}
          />
          <Button type="submit">Save name</Button>
        </form>
      )}
    </section>
  )
}

function Storage() {
  const [facts, readAgain] = useStorageFacts()
  const [isAsking, setAsking] = useState(false)

  async function ask() {
    setAsking(true)
    // Some browsers ask the user first, and others never answer. The button must not wait forever.
    const answer = await Promise.race([
      navigator.storage.persist().catch(() => false),
      new Promise<null>((resolve) => setTimeout(() => resolve(null), 30_000)),
    ])
    setAsking(false)
    readAgain()
    if (answer === false) {
      showToast({
        title: 'The browser said no',
        description: 'Install the app or use it for a few days, then ask again.',
        tone: 'warn',
      })
    }
  }

  return (
    <section aria-labelledby="storage-title">
      <h2 id="storage-title" className="mb-2 text-lg font-semibold">
        Storage
      </h2>
      {facts && (
        <div className="flex flex-col items-start gap-3">
          <p className="figures">
            {facts.used === null
              ? 'This browser doesn’t report how much is stored.'
              : `${formatBytes(facts.used)} used${facts.quota === null ? '' : ` of ${formatBytes(facts.quota)} available`}.`}
          </p>
          {!facts.startsOffline && (
            <Notice tone="warn">
              This browser can’t store the app itself. Your work is safe, but you can’t open Lorgnette while the server is down.
            </Notice>
          )}
          {facts.kept === true && <Notice tone="good">The browser will keep the data stored here.</Notice>}
          {facts.kept === null && <Notice tone="neutral">This browser doesn’t say whether it keeps the data stored here.</Notice>}
          {facts.kept === false && (
            <Notice
              tone="warn"
              actions={
                <Button busy={isAsking} onClick={() => void ask()}>
                  Ask the browser to keep it
                </Button>
              }
            >
              The browser may clear the data stored here if the device runs out of space.
            </Notice>
          )}
        </div>
      )}
    </section>
  )
}

function UnsentFile() {
  const device = useDevice()
  const picker = useRef<HTMLInputElement>(null)
  const [told, setTold] = useState<Told | null>(null)

  async function run(work: () => Promise<Told>, failed: string) {
    try {
      setTold(await work())
    } catch {
      setTold({ tone: 'bad', title: failed })
    }
  }

  return (
    <section aria-labelledby="file-title" className="lg:col-span-2">
      <h2 id="file-title" className="mb-2 text-lg font-semibold">
        Unsent work as a file
      </h2>
      <p className="mb-3 max-w-prose text-ink-2">
        If this device can’t reach the server anymore, save its unsent work to a file and load it on another device. Nothing is counted
        twice if both send it. Patient files aren’t included: they’re encrypted for this device and can be sent only from here.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={<Download size={18} aria-hidden />}
          onClick={() => void run(() => downloadUnsent(device), 'Couldn’t create the file. Try again.')}
        >
          Save unsent work
        </Button>
        <Button icon={<Upload size={18} aria-hidden />} onClick={() => picker.current?.click()}>
          Import a file
        </Button>
        <input
          ref={picker}
          type="file"
          accept="application/json,.json"
          aria-label="Unsent work file"
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            const file = event.target.files?.[0]
            // Lets the user choose the same file again after a failure.
            event.target.value = ''
            if (file) void run(() => importUnsent(device, file), 'Couldn’t read the file. Nothing was imported.')
          }}
        />
      </div>
      {told && (
        <div className="mt-3 max-w-prose">
          <Notice tone={told.tone} title={told.title}>
            {told.description}
          </Notice>
        </div>
      )}
    </section>
  )
}
