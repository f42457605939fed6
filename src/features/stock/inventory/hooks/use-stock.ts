import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { Failure } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import type { Store } from '#src/domain/stores/use-stores.ts'
import { showToast } from '#src/ui/toast-store.ts'
import { needsServer, priceProblems, type StockFilters, type StockOrderKey } from '../model/filters.ts'
import { listAtServer, listOnDevice, type StockPage, type StockQuestion, withPage } from '../model/stock-list.ts'

/** The specification's words. */
const words = {
  loading: 'Loading inventory data...',
  failed: 'Failed to load inventory data. Please try again',
  loaded: 'Index data loaded successfully!',
}

/** Shorter loading shows no toast. */
const slowMs = 400
const pauseMs = 250
/** Changes within this time redraw the list once. */
const settleMs = 700

export type Stock = {
  page: StockPage | null
  source: 'device' | 'server'
  isLoading: boolean
  failure: Failure | null
  /** Loads the next page. Null when everything is loaded. */
  more: (() => void) | null
  reload: () => void
}

/** Loads the filtered list: from this device when it has all the data, otherwise page by page from the server. */
export function useStock(view: 'frames' | 'models', filters: StockFilters, order: StockOrderKey, stores: readonly Store[]): Stock {
  const device = useDevice()
  const isFilling = useStore(device.mirror.progress, (progress) => progress.loading !== null)
  const wasPulled = useStore(device.mirror.progress, (progress) => progress.lastPulledAt !== null)
  const [broken, setBroken] = useState(false)
  /** A device that never had frames cannot say that there are none. */
  const [isFresh, setFresh] = useState(false)
  const source = needsServer(filters, order) || isFilling || broken || (isFresh && !wasPulled) ? 'server' : 'device'
  const [state, setState] = useState<{ page: StockPage | null; failure: Failure | null; isLoading: boolean }>({
    page: null,
    failure: null,
    isLoading: true,
  })
  const [times, setTimes] = useState(0)
  const asking = useRef<{ question: StockQuestion; signal: AbortSignal } | null>(null)
  const first = useRef(true)
  const isWrong = Object.keys(priceProblems(filters)).length > 0

  const load = useEffectEvent(async (signal: AbortSignal, byPerson: boolean) => {
    const question = { view, filters, order, stores, now: device.serverNow() }
    asking.current = { question, signal }
    let isSlow = false
    const slow = setTimeout(() => {
      isSlow = true
      if (byPerson) showToast({ title: words.loading })
    }, slowMs)
    setState((before) => ({ ...before, isLoading: true }))
    try {
      const answer =
        source === 'device'
          ? ({ ok: true, value: await listOnDevice(device, question) } as const)
          : await listAtServer(device, question, 1, signal)
      if (signal.aborted) return
      if (source === 'device' && !wasPulled && device.frames.size() === 0) return setFresh(true)
      if (!answer.ok) {
        setState((before) => ({ page: byPerson ? null : before.page, failure: answer.failure, isLoading: false }))
        if (byPerson) showToast({ title: words.failed, tone: 'bad' })
        return
      }
      setState({ page: answer.value, failure: null, isLoading: false })
      if (!byPerson) return
      if (isSlow && answer.value.total > 0) showToast({ title: words.loaded, tone: 'good' })
    } catch {
      // This device cannot read its frames, so the server's are used.
      if (!signal.aborted) setBroken(true)
    } finally {
      clearTimeout(slow)
    }
  })

  useEffect(() => {
    if (isWrong) return
    const controller = new AbortController()
    const timer = setTimeout(() => void load(controller.signal, true), first.current ? 0 : pauseMs)
    first.current = false
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [view, filters, order, source, times, isWrong, stores])

  // Later changes on this device update the list after a moment, without a toast.
  useEffect(() => {
    if (source !== 'device' || isWrong) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const controller = new AbortController()
    const leave = device.frames.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(() => void load(controller.signal, false), settleMs)
    })
    return () => {
      leave()
      clearTimeout(timer)
      controller.abort()
    }
  }, [device, source, isWrong, view, filters, order])

  const { page } = state
  const hasMore = source === 'server' && page !== null && page.rows.lines.length < page.total
  async function more() {
    const asked = asking.current
    if (!asked || !page || state.isLoading) return
    setState((before) => ({ ...before, isLoading: true }))
    const answer = await listAtServer(device, asked.question, page.page + 1, asked.signal)
    if (asked.signal.aborted) return
    if (answer.ok) return setState((before) => ({ page: withPage(before.page, answer.value), failure: null, isLoading: false }))
    setState((before) => ({ ...before, isLoading: false }))
    showToast({ title: words.failed, tone: 'bad' })
  }

  // Loads again when the connection returns, so that the page does not stay empty.
  const retry = useEffectEvent(() => state.failure?.kind === 'unreachable' && setTimes((before) => before + 1))
  useEffect(() => device.connection.subscribe((now, before) => void (now.online && !before.online && retry())), [device])

  return { ...state, source, more: hasMore ? () => void more() : null, reload: () => setTimes((before) => before + 1) }
}
