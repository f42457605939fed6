import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { CountDevice, CountSheet } from '#contract/counts/count-sheets.ts'
import type { Frame } from '#contract/stock/frame.ts'
import type { Rows } from '#contract/core/sorted-list.ts'
import { letOthersWork } from '#src/db/indexed/slices.ts'
import type { PresentDevice } from '#src/sync/device/device.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import type * as Server from './model/ask-server.ts'
import type { Named } from './model/scope-words.ts'
import type { SheetModel } from './model/sheet-model.ts'
import type { SheetState } from './model/sheet-state.ts'

/** Returns a part of an open sheet's state, kept up to date. */
export function useSheet<T>(model: SheetModel, select: (state: SheetState) => T): T {
  return useStore(model.state, select)
}

/** Returns a list's current rows: a new object after a change, and the same one until then. */
export function useRows<T>(list: Rows<T> & { readonly changes: number }, order: 'as listed' | 'newest first' = 'as listed'): Rows<T> {
  const { changes } = list
  return useMemo(() => {
    // A dependency, because the list stays the same object when it changes.
    void changes
    const { length } = list
    return { length, at: (place: number) => list.at(order === 'as listed' ? place : length - 1 - place) }
  }, [list, changes, order])
}

/** Reading a store of 40,000 frames takes a moment, and a first load changes them many times a second. */
const framesPauseMs = 1000

/** Returns the store's frames from the mirror, and reads them again a moment after a change. */
export function useStoreFrames(storeId: number | null): readonly Frame[] {
  const device = useDevice()
  const [frames, setFrames] = useState<readonly Frame[]>([])
  useEffect(() => {
    if (storeId === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let current = true
    const read = async () => {
      timer = undefined
      if (!current) return
      const found = await device.frames.readStore(storeId)
      if (current) setFrames(found)
    }
    void device.frames.ready().then(read)
    const leave = device.frames.subscribe(() => (timer ??= setTimeout(() => void read(), framesPauseMs)))
    return () => {
      current = false
      clearTimeout(timer)
      leave()
    }
  }, [device, storeId])
  return frames
}

/** Returns null when the server does not answer, or when the code that asks it cannot be loaded. */
async function askServer<T>(ask: (server: typeof Server) => Promise<T | null>): Promise<T | null> {
  let server
  try {
    server = await import('./model/ask-server.ts')
  } catch {
    return null
  }
  return await ask(server)
}

/** Returns the brands and vendors that a scope needs by name. It reads the frames only if the scope names some. */
export function useScopeNames({ scope, store_id }: Pick<CountSheet, 'scope' | 'store_id'>): { brands: Named[]; vendors: Named[] } {
  const isNamed = scope.brand_ids.length + scope.vendor_ids.length > 0
  return useScopeLists(useStoreFrames(isNamed ? store_id : null))
}

/** Returns the brands and vendors of these frames. A vendor keeps a stand-in name until the server's list is here. */
export function useScopeLists(frames: readonly Frame[]): { brands: Named[]; vendors: Named[] } {
  const device = useDevice()
  const [vendors, setVendors] = useState<Named[]>([])
  useEffect(() => {
    const abort = new AbortController()
    void askServer((server) => server.askVendors(device, abort.signal)).then((list) => list && !abort.signal.aborted && setVendors(list))
    return () => abort.abort()
  }, [device])
  return useMemo(() => scopeLists(frames, vendors), [frames, vendors])
}

function scopeLists(frames: readonly Frame[], vendors: readonly Named[]): { brands: Named[]; vendors: Named[] } {
  const brands = new Map<number, string>()
  const known = new Map(vendors.map((vendor) => [vendor.id, vendor.name]))
  const present = new Map<number, string>()
  for (const frame of frames) {
    brands.set(frame.brand_id, frame.brand_name)
    if (!present.has(frame.vendor_id)) present.set(frame.vendor_id, known.get(frame.vendor_id) ?? `Vendor of ${frame.brand_name}`)
  }
  const list = (map: Map<number, string>) => [...map].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name))
  // Only those of this store: a brand without a frame here cannot be counted here.
  return { brands: list(brands), vendors: list(present) }
}

/** Returns the tablets that work on this sheet: asked once at the start, then from the server's live news. */
export function usePresence(idCountSheet: string, active: boolean): PresentDevice[] {
  const device = useDevice()
  const online = useConnection((connection) => connection.online)
  const told = useStore(device.presence, (presence) => presence[idCountSheet])
  const [asked, setAsked] = useState<CountDevice[]>([])
  useEffect(() => {
    if (!active || online !== true) return
    const abort = new AbortController()
    void askServer((server) => server.askPresence(device, idCountSheet, abort.signal)).then(
      (devices) => devices && !abort.signal.aborted && setAsked(devices),
    )
    return () => abort.abort()
  }, [device, idCountSheet, active, online])
  // Presence from before the network went away is out of date.
  return active && online === true ? (told ?? asked) : []
}

export function useTimeZone(): string | undefined {
  const home = useSession((session) => session.home)
  return home?.locations.find((location) => location.store_id === home.store_id)?.time_zone
}

/** The longest time that background work may block the page, ms. */
const sliceMs = 6

/**
 * Returns the uncounted frames that were sold or moved meanwhile, with the reason. A change of the mirror or the sheet
 * refreshes it.
 */
export function useMoved(model: SheetModel): ReadonlyMap<number, string> {
  const device = useDevice()
  const [moved, setMoved] = useState<ReadonlyMap<number, string>>(new Map())
  const expected = useStore(model.state, () => model.ledger.items.size)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let latest = 0
    async function look() {
      const mine = ++latest
      const found = new Map<number, string>()
      let began = performance.now()
      for (const item of model.ledger.items.values()) {
        const reason = model.explanationOf(item)
        if (reason !== null) found.set(item.id_inventory, reason)
        // Ten thousand frames take a moment, and a scan must never wait for it.
        if (performance.now() - began < sliceMs) continue
        await letOthersWork()
        if (mine !== latest) return
        began = performance.now()
      }
      // Keep the same map while nothing else has moved: a new one would sort the list To find again.
      setMoved((before) => (isSame(before, found) ? before : found))
    }
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void look(), 300)
    }
    soon()
    const leave = device.frames.subscribe(soon)
    return () => {
      latest = -1
      clearTimeout(timer)
      leave()
    }
  }, [device, model, expected])
  return moved
}

function isSame(a: ReadonlyMap<number, string>, b: ReadonlyMap<number, string>): boolean {
  return a.size === b.size && [...a].every(([id, reason]) => b.get(id) === reason)
}
