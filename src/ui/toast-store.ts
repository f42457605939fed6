import type { ReactNode } from 'react'
import { createStore } from 'zustand/vanilla'

export type ToastTone = 'good' | 'bad' | 'info' | 'warn'

export type Toast = {
  id: number
  title: ReactNode
  description?: ReactNode
  tone: ToastTone
  action?: { label: string; run: () => void } | undefined
}

export const toastDurationMs = 5000

/** There is one toast at a time: a new one replaces it. */
export const toastStore = createStore<{ toast: Toast | null }>(() => ({ toast: null }))

let lastId = 0

/**
 * Shows a toast in place of the present one. A screen reader reads errors at once, and others when there is a pause.
 */
export function showToast(toast: { title: ReactNode; description?: ReactNode; tone?: ToastTone; action?: Toast['action'] }): number {
  lastId += 1
  toastStore.setState({ toast: { tone: 'info', ...toast, id: lastId } })
  return lastId
}

/** Removes the toast; with an id, only if it is still that one. */
export function dismissToast(id?: number): void {
  const { toast } = toastStore.getState()
  if (toast && (id === undefined || toast.id === id)) toastStore.setState({ toast: null })
}
