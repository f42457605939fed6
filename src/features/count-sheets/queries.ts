import { useLiveQuery } from 'dexie-react-hooks'
import Dexie from 'dexie'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import { countSheetEndpoints, type CountDevice, type CountLine, type CountSheet } from '#contract/count-sheets.ts'
import { CountLedger } from '#contract/count-ledger.ts'
import { inventoryEndpoints, type Frame } from '#contract/frames.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { Device, PresentDevice } from '#src/sync/device.ts'
import { useConnection, useDevice, useSession } from '#src/sync/device-context.tsx'
import { isKind, sheetFromCommand, snapshotOf } from './sheet-commands.ts'
import type { SheetModel } from './sheet-model.ts'
import type { SheetState } from './sheet-state.ts'

/** A sheet in the list: as far as this device can tell. */
export type SheetSummary = {
  sheet: CountSheet
  counted: number
  exceptions: number
  unknown: number
  /** Work of this sheet that this tablet still holds. */
  unsent: number
  onlyHere: boolean
  deletion: boolean
}

/** The sheets of the store, newest first; undefined while they are read. */
export function useSheetSummaries(storeId: number | null): SheetSummary[] | undefined {
  const device = useDevice()
  return useLiveQuery(() => (storeId === null ? [] : readSummaries(device, storeId)), [device, storeId])
}

async function readSummaries(device: Device, storeId: number): Promise<SheetSummary[]> {
  const { hot } = device
  const rows = await hot.sheets.where('store_id').equals(storeId).toArray()
  const commands = await hot.outbox
    .where('[lane+lane_seq]')
    .between(['count:', Dexie.minKey], ['count;', Dexie.minKey])
    .and((command) => command.store_id === storeId)
    .toArray()
  const made = commands
    .filter((command) => isKind(command, 'count.create'))
    .map((command) => sheetFromCommand(command))
    .filter((sheet) => !rows.some((row) => row.id_count_sheet === sheet.id_count_sheet))
  const summaries: SheetSummary[] = []
  for (const sheet of [...made, ...rows]) {
    const waiting = commands.filter((command) => command.lane === `count:${sheet.id_count_sheet}`)
    const onlyHere = sheet.revision === 0
    const ledger = new CountLedger(sheet.walk)
    if (sheet.phase !== 'closed') {
      const range = [
        [sheet.id_count_sheet, Dexie.minKey],
        [sheet.id_count_sheet, Dexie.maxKey],
      ] as const
      for (const scan of await hot.scans.where('[id_count_sheet+revision]').between(range[0], range[1]).toArray()) ledger.add(scan)
      for (const command of waiting)
        if (isKind(command, 'count.scan'))
          ledger.add({
            id: command.id,
            raw_code: command.body.raw_code,
            id_inventory: command.body.id_inventory,
            finding:
              command.body.id_inventory === null ? (device.frames.find(command.body.raw_code) ? 'model-only' : 'unknown') : 'expected',
            finding_detail: null,
            via: command.body.via,
            negates: null,
            previous_scan: null,
            walk: sheet.walk,
            captured_at: command.captured.wall,
            author_id: command.author.id_user ?? 0,
            author_name: command.author.name,
            device_id: command.device_id,
          })
    }
    summaries.push({
      sheet: onlyHere ? { ...sheet, expected_count: snapshotOf(sheet, device.frames).length } : sheet,
      counted: ledger.countedTotal,
      exceptions: ledger.setAsideTotal,
      unknown: ledger.unknownTotal,
      unsent: waiting.length,
      onlyHere,
      deletion: waiting.some((command) => command.kind === 'count.delete'),
    })
  }
  return summaries.sort((a, b) => (a.sheet.created_at < b.sheet.created_at ? 1 : -1))
}

/** One thing of an open sheet, kept up to date. */
export function useSheet<T>(model: SheetModel, select: (state: SheetState) => T): T {
  return useStore(model.state, select)
}

/** The frames of the store in the mirror; anew whenever the mirror changes. */
export function useStoreFrames(storeId: number | null): Frame[] {
  const device = useDevice()
  const [frames, setFrames] = useState<Frame[]>([])
  const size = useSyncExternalStore(
    (listener) => device.frames.subscribe(listener),
    () => device.frames.size(),
  )
  useEffect(() => {
    let current = true
    if (storeId === null) return
    void device.frames.ready().then(() => current && setFrames(device.frames.ofStore(storeId)))
    return () => {
      current = false
    }
  }, [device, storeId, size])
  return frames
}

export type Named = { id: number; name: string }

/** Brands and vendors by the reference calls; by the mirror where they can not be had. */
export function useScopeLists(frames: readonly Frame[]): { brands: Named[]; vendors: Named[] } {
  const device = useDevice()
  const [vendors, setVendors] = useState<Named[]>([])
  useEffect(() => {
    const abort = new AbortController()
    void device
      .call(inventoryEndpoints.vendors, {}, { signal: abort.signal })
      .then((outcome) => outcome.ok && !abort.signal.aborted && setVendors(outcome.value.vendors))
    return () => abort.abort()
  }, [device])
  const brands = new Map<number, string>()
  const known = new Map(vendors.map((vendor) => [vendor.id, vendor.name]))
  const present = new Map<number, string>()
  for (const frame of frames) {
    brands.set(frame.brand_id, frame.brand_name)
    if (!present.has(frame.vendor_id)) present.set(frame.vendor_id, known.get(frame.vendor_id) ?? `Vendor of ${frame.brand_name}`)
  }
  const list = (map: Map<number, string>) => [...map].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name))
  // Only what this store has: a brand without a frame here can not be counted here.
  return { brands: list(brands), vendors: list(present) }
}

/** The tablets that work on this sheet: as the server tells while it can be heard, asked once at the beginning. */
export function usePresence(idCountSheet: string, active: boolean): PresentDevice[] {
  const device = useDevice()
  const online = useConnection((connection) => connection.online)
  const told = useStore(device.presence, (presence) => presence[idCountSheet])
  const [asked, setAsked] = useState<CountDevice[]>([])
  useEffect(() => {
    if (!active || online !== true) return
    const abort = new AbortController()
    void device
      .call(countSheetEndpoints.viewCountSheet, { params: { id: idCountSheet } }, { signal: abort.signal })
      .then((outcome) => outcome.ok && !abort.signal.aborted && setAsked(outcome.value.devices))
    return () => abort.abort()
  }, [device, idCountSheet, active, online])
  // What was heard before the network went away is no presence.
  return active && online === true ? (told ?? asked) : []
}

export type Lines = { status: 'loading' } | { status: 'ready'; lines: CountLine[] } | { status: 'failed'; failure: Failure }

/** The lines of a sheet by the server: as closing left them, or as closing now would. */
export function useLines(idCountSheet: string, wanted: boolean): Lines & { reload: () => void } {
  const device = useDevice()
  const [asked, setAsked] = useState(0)
  const [lines, setLines] = useState<Lines>({ status: 'loading' })
  useEffect(() => {
    if (!wanted) return
    const abort = new AbortController()
    void device
      .call(countSheetEndpoints.listCountItems, { query: { id_count_sheet: idCountSheet } }, { signal: abort.signal })
      .then((outcome) => {
        if (abort.signal.aborted) return
        setLines(outcome.ok ? { status: 'ready', lines: outcome.value.items } : { status: 'failed', failure: outcome.failure })
      })
    return () => abort.abort()
  }, [device, idCountSheet, wanted, asked])
  return { ...lines, reload: () => setAsked((count) => count + 1) }
}

export function useTimeZone(): string | undefined {
  const home = useSession((session) => session.home)
  return home?.locations.find((location) => location.store_id === home.store_id)?.time_zone
}

/** What is not counted and was sold or moved meanwhile, with why; looked up anew when the mirror or the sheet changes. */
export function useMoved(model: SheetModel): ReadonlyMap<number, string> {
  const device = useDevice()
  const [moved, setMoved] = useState<ReadonlyMap<number, string>>(new Map())
  const expected = useStore(model.state, () => model.ledger.items.size)
  useEffect(() => {
    // Of ten thousand frames that takes a moment, so it waits for a pause and never delays a scan.
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      const found = new Map<number, string>()
      for (const item of model.ledger.items.values()) {
        const reason = model.explanationOf(item)
        if (reason !== null) found.set(item.id_inventory, reason)
      }
      setMoved(found)
    }
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(look, 300)
    }
    look()
    const leave = device.frames.subscribe(soon)
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [device, model, expected])
  return moved
}
