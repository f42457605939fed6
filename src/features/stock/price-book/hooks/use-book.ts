import { useCallback, useEffect, useRef, useState } from 'react'
import { type BookedModel, priceBookEndpoints as book } from '#contract/library/price-book.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { showToast } from '#src/ui/toast-store.ts'

const pauseMs = 250
type Lines = { models: readonly BookedModel[]; total: number; page: number }

/** Lines of the book, page by page; null before anything was asked for. */
export function useBook(brandId: number | null, search: string) {
  const device = useDevice()
  const of = `${brandId ?? ''} ${search.trim()}`
  const [state, setState] = useState<{ of: string; value: Lines | null; failure: Failure | null }>({ of: '', value: null, failure: null })
  const [isLoading, setLoading] = useState(false)
  const asked = useRef(0)

  const ask = useCallback(
    (page: number) => {
      const typed = search.trim()
      const query = {
        ...(brandId !== null && { brand_id: String(brandId) }),
        ...(typed !== '' && { search: typed }),
        current: '1' as const,
        page: String(page),
      }
      return device.call(book.bookModels, { query })
    },
    [device, brandId, search],
  )
  const load = useCallback(
    async (page: number) => {
      asked.current += 1
      const mine = asked.current
      setLoading(true)
      const answer = await ask(page)
      // An answer that a later question has overtaken is no answer.
      if (asked.current !== mine) return
      setLoading(false)
      if (!answer.ok && page > 1) return showToast({ title: 'Couldn’t load the rest', description: answer.failure.message, tone: 'bad' })
      setState((before) => {
        const known = before.of === of ? before.value : null
        if (!answer.ok) return { of, value: known, failure: answer.failure }
        const { models, total } = answer.value
        return { of, value: { models: page > 1 ? joined(known?.models ?? [], models) : models, total, page }, failure: null }
      })
    },
    [ask, of],
  )
  const isAsked = brandId !== null || search.trim() !== ''
  useEffect(() => {
    if (!isAsked) return
    const timer = setTimeout(() => void load(1), pauseMs)
    return () => clearTimeout(timer)
  }, [isAsked, load])

  const current = state.of === of ? state : { value: null, failure: null }
  const { value } = current
  return {
    ...current,
    isAsked,
    isLoading,
    more: value !== null && value.models.length < value.total ? () => void load(value.page + 1) : null,
    reload: () => void load(1),
  }
}

function joined(before: readonly BookedModel[], next: readonly BookedModel[]): BookedModel[] {
  const known = new Set(before.map(({ id_model }) => id_model))
  return [...before, ...next.filter(({ id_model }) => !known.has(id_model))]
}
