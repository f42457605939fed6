import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useState } from 'react'
import { patientName } from '#contract/patients/patient.ts'
import type { OutboxCommand, SettledCommand } from '#src/db/hot/hot.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { usePatientShelf } from '#src/sync/react/use-patient-shelf.ts'
import type { KnownNames } from './words.ts'

/** Returns every unsettled command on the disk, or undefined until it is read. */
export function useOutbox(): OutboxCommand[] | undefined {
  const { hot } = useDevice()
  return useLiveQuery(() => hot.outbox.toArray(), [hot])
}

/** Returns the receipts, newest first. `search` is part of a number, a title or a user's name. */
export function useReceipts(search: string): SettledCommand[] | undefined {
  const { hot } = useDevice()
  const all = useLiveQuery(() => hot.settled.orderBy('settled_at').reverse().limit(10_000).toArray(), [hot])
  return all && receiptsMatching(all, search)
}

export function receiptsMatching(receipts: readonly SettledCommand[], search: string): SettledCommand[] {
  const wanted = search.trim().replace(/^#/, '').toLowerCase()
  return receipts.filter((receipt) =>
    [receipt.number === null ? '' : String(receipt.number), receipt.title, receipt.author_name].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  )
}

/** Returns what this device knows of the things in lanes. */
export function useKnownNames(): KnownNames {
  const { hot } = useDevice()
  const { shelf } = usePatientShelf()
  const sheets = useLiveQuery(() => hot.sheets.toArray(), [hot])
  return {
    sheetNumbers: new Map(sheets?.map((sheet) => [sheet.id_count_sheet, sheet.number])),
    patient: (id) => {
      const patient = shelf?.get(id)
      return patient ? patientName(patient) : null
    },
  }
}

const restoredKey = 'warning:server-restored'

export type Warning = { title: string; text: string; dismiss: () => void }

/** Returns news about this device's or the server's data that users must know, until a user dismisses it. */
export function useWarnings(): Warning[] {
  const device = useDevice()
  const { hot } = device
  const isWiped = useConnection((connection) => connection.databaseBlocked === 'wiped')
  const restored = useLiveQuery(() => hot.facts.get(restoredKey), [hot])
  const warnings: Warning[] = []
  if (isWiped) {
    warnings.push({
      title: 'This device lost its storage',
      text: 'The browser cleared the data stored here. Unsent work may be lost. Check the last count and the time clock.',
      dismiss: () => void device.wipeWasRead(),
    })
  }
  if (restored) {
    warnings.push({
      title: 'The server was restored from a backup',
      text: 'This device is reloading everything and resending what the backup didn’t have. You don’t need to do anything.',
      dismiss: () => void hot.facts.delete(restoredKey),
    })
  }
  return warnings
}

export type StorageFacts = {
  used: number | null
  quota: number | null
  /** Null when the browser does not say. */
  kept: boolean | null
  /** True when this device keeps the app itself, so that it starts without its server. */
  startsOffline: boolean
}

/** Returns how much is stored and whether the browser promised to keep it, and a function that reads it again. */
export function useStorageFacts(): [StorageFacts | null, () => void] {
  const [facts, setFacts] = useState<StorageFacts | null>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isCurrent = true
    void readStorageFacts().then((read) => {
      if (isCurrent) setFacts(read)
    })
    return () => {
      isCurrent = false
    }
  }, [round])
  return [facts, () => setRound(round + 1)]
}

async function readStorageFacts(): Promise<StorageFacts> {
  // Older WebKit has no storage manager, even though the types say so.
  const storage: Partial<StorageManager> | undefined = navigator.storage
  const estimate = await storage?.estimate?.().catch(() => null)
  const kept = await storage?.persisted?.().catch(() => null)
  // Where workers are not allowed, the browser has no container for them, or it refuses.
  const workers: Partial<ServiceWorkerContainer> | undefined = navigator.serviceWorker
  const worker = await workers?.getRegistration?.().catch(() => undefined)
  return { used: estimate?.usage ?? null, quota: estimate?.quota ?? null, kept: kept ?? null, startsOffline: worker !== undefined }
}
