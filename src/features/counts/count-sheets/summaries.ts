import { useLiveQuery } from 'dexie-react-hooks'
import Dexie from 'dexie'
import { useSyncExternalStore } from 'react'
import type { CountSheet } from '#contract/counts/count-sheets.ts'
import type { Device } from '#src/sync/device/device.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { knowledgeOf } from './model/command-reading.ts'
import { isKind, laneOf } from './model/sheet-commands.ts'
import { SheetFold } from './model/sheet-fold.ts'

/** A sheet in the list, as far as this device knows. */
export type SheetSummary = {
  sheet: CountSheet
  /** These three are 0 for a closed sheet, which shows its result instead. */
  counted: number
  exceptions: number
  unknown: number
  /** The number of this sheet's commands that this tablet still has to send. */
  unsent: number
  onlyHere: boolean
  deletion: boolean
}

/** Returns the store's sheets, newest first, or undefined while they are read. */
export function useSheetSummaries(storeId: number | null): SheetSummary[] | undefined {
  const device = useDevice()
  const known = useFrameTotal()
  return useLiveQuery(() => (storeId === null ? [] : readSummaries(device, storeId)), [device, storeId, known])
}

/** Reads the sheets by the rules of an open sheet, so that the list and the sheet agree. */
export async function readSummaries(device: Device, storeId: number): Promise<SheetSummary[]> {
  const { hot } = device
  const rows = await hot.sheets.where('store_id').equals(storeId).toArray()
  const commands = await hot.outbox
    .where('[lane+lane_seq]')
    .between(['count:', Dexie.minKey], ['count;', Dexie.minKey])
    .and((command) => command.store_id === storeId)
    .toArray()
  const made = commands
    .filter((command) => isKind(command, 'count.create'))
    .map((command) => command.body.id_count_sheet)
    .filter((id) => !rows.some((row) => row.id_count_sheet === id))
  const sheets = [...made.map((id) => ({ id, row: null })), ...rows.map((row) => ({ id: row.id_count_sheet, row }))]
  const summaries: SheetSummary[] = []
  for (const { id, row } of sheets) {
    const waiting = commands.filter((command) => command.lane === laneOf(id))
    const isOpen = row?.phase !== 'closed'
    const [first, last] = [
      [id, Dexie.minKey],
      [id, Dexie.maxKey],
    ]
    const fold = new SheetFold(
      {
        row,
        // The expected frames are needed only to judge scans that the server has not judged yet.
        pages: isOpen && waiting.length > 0 ? await hot.items.where('[id_count_sheet+first]').between(first, last).toArray() : [],
        scans: isOpen ? await hot.scans.where('[id_count_sheet+revision]').between(first, last).toArray() : [],
        decisions: [],
        commands: waiting,
      },
      knowledgeOf(device),
    )
    if (!fold.sheet) continue
    summaries.push({
      sheet: fold.sheet,
      counted: isOpen ? fold.ledger.countedTotal : 0,
      exceptions: isOpen ? fold.ledger.setAsideTotal : 0,
      unknown: isOpen ? fold.ledger.unknownTotal : 0,
      unsent: fold.unsent,
      onlyHere: fold.onlyHere,
      deletion: fold.deletion,
    })
  }
  return summaries.sort((a, b) => (a.sheet.created_at < b.sheet.created_at ? 1 : -1))
}

function useFrameTotal(): number {
  const device = useDevice()
  return useSyncExternalStore(
    (listener) => device.frames.subscribe(listener),
    () => device.frames.size(),
  )
}
