import { useCallback, useEffect, useState } from 'react'
import { type Contact, type Message, messageEndpoints, messagesPageSize } from '#contract/patients/messages.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { type Loaded, useLoaded } from '#src/sync/react/use-loaded.ts'
import type { Histories } from './model/merged-history.ts'

const timeoutMs = 15_000
/** How often the screen asks whether a queued message was sent. */
const refreshMs = 4000

const calls = { sms: messageEndpoints.smsHistory, email: messageEndpoints.emailHistory, call: messageEndpoints.callHistory } as const

/** The patient's contact data and consent at the server. */
export function useContact(id: string): Loaded<Contact> {
  const device = useDevice()
  const load = useCallback(() => device.call(messageEndpoints.readContact, { params: { id } }, { timeoutMs }), [device, id])
  return useLoaded(load)
}

/** All texts, emails and calls with a patient. `showOlder` loads the pages before. */
export function useHistories(id: string): Loaded<Histories> & { showOlder: () => void } {
  const device = useDevice()
  const isOnline = useConnection((connection) => connection.online) !== false
  const [pages, setPages] = useState(1)
  const load = useCallback(() => loadAll(device, id, pages), [device, id, pages])
  const loaded = useLoaded(load)
  const [last, setLast] = useState<{ id: string; value: Histories } | null>(null)
  // The present list stays while older pages load.
  if (loaded.value && loaded.value !== last?.value) setLast({ id, value: loaded.value })
  const value = loaded.value ?? (last?.id === id ? last.value : undefined)
  const { reload } = loaded
  const isUnderWay = value !== undefined && [...value.sms.messages, ...value.email.messages].some(({ status }) => status === 'queued')
  useEffect(() => {
    if (!isUnderWay || !isOnline) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload()
    }, refreshMs)
    return () => clearInterval(timer)
  }, [isUnderWay, isOnline, reload])
  return { ...loaded, value, showOlder: () => setPages((before) => before + 1) }
}

async function loadAll(device: Pick<Device, 'call'>, id: string, pages: number): Promise<Outcome<Histories>> {
  const [sms, email, call] = await Promise.all((['sms', 'email', 'call'] as const).map((channel) => loadOne(device, channel, id, pages)))
  for (const one of [sms, email, call]) if (one && !one.ok) return one
  if (!sms?.ok || !email?.ok || !call?.ok) throw new Error('a history is missing')
  return { ok: true, value: { sms: sms.value, email: email.value, call: call.value } }
}

async function loadOne(
  device: Pick<Device, 'call'>,
  channel: keyof typeof calls,
  id: string,
  pages: number,
): Promise<Outcome<{ messages: Message[]; total: number }>> {
  // A message that arrives meanwhile moves the others down. The map shows each once.
  const found = new Map<string, Message>()
  let total = 0
  for (let page = 1; page <= pages && (page - 1) * messagesPageSize <= total; page++) {
    const answer = await device.call(calls[channel], { params: { id }, query: { page: String(page) } }, { timeoutMs })
    if (!answer.ok) return answer
    total = answer.value.total
    for (const message of answer.value.messages) found.set(message.id, message)
  }
  return { ok: true, value: { messages: [...found.values()], total } }
}
