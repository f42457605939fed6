import type { OutboxCommand } from '#src/db/hot/hot.ts'
import type { Device, StrangeFile } from '#src/sync/device/device.ts'
import { formatCount, formatNumberOf } from '#src/ui/format.ts'
import { correctionOf } from './model/refusals.ts'

export type Told = { tone: 'good' | 'warn' | 'bad'; title: string; description?: string }

/** Sends the unsent work, pulls the changes, and returns a message with the outcome. */
export async function sendNow(device: Device): Promise<Told> {
  if (!(await device.probe())) {
    return { tone: 'warn', title: 'Can’t reach the server', description: 'Everything is saved here and will be sent automatically.' }
  }
  await device.drain()
  await device.pull()
  const { unsent, needsAttention, waitsForSignIn, updateRequired, files } = device.connection.getState()
  if (updateRequired) return { tone: 'warn', title: 'Update the app', description: 'Your work is saved and will be sent afterward.' }
  if (waitsForSignIn) return { tone: 'warn', title: 'Someone must sign in', description: 'Your work is saved and will be sent afterward.' }
  const filesWaiting = files?.waiting ?? 0
  if (unsent > 0) return { tone: 'warn', title: `${formatCount(unsent)} still to send`, description: 'They’ll be retried automatically.' }
  const attention = needsAttention + (files?.refused ?? 0)
  if (attention > 0) return { tone: 'warn', title: `${formatNumberOf(attention, 'item needs', 'items need')} attention` }
  if (filesWaiting > 0) {
    const title = `Everything else is sent, ${formatNumberOf(filesWaiting, 'file')} left`
    return { tone: 'good', title, description: 'Files are sent last, when the person who added them is signed in.' }
  }
  return { tone: 'good', title: 'Everything is sent' }
}

/** Sends it again without changes. */
export async function retry(device: Device, command: OutboxCommand): Promise<void> {
  await device.outbox.retry(command.id)
  await device.drain()
}

/** Sends it again with the corrected text. */
export async function correct(device: Device, command: OutboxCommand, text: string): Promise<void> {
  const part = correctionOf(command)
  if (!part) return
  await device.outbox.correct(command.id, { ...command.body, [part.field]: text })
  await device.drain()
}

export async function discard(device: Device, command: OutboxCommand, reason: string): Promise<void> {
  await device.outbox.discard(command.id, reason)
  await device.drain()
}

/** Discards a file that waits here. For another user's file, the server keeps its author, who discarded it, and why. */
export async function discardFile(device: Device, { id, author, size }: StrangeFile, reason: string | null): Promise<void> {
  if (reason !== null) {
    const body = { discarded_id: id, discarded_kind: 'patient.file', discarded_body: { size, author }, reason }
    const made = await device.outbox.record('command.discard', `discard:${device.deviceId}`, body, {
      title: `Discard: File from ${author}`,
    })
    if (!made.saved) throw new Error(made.problem.message)
  }
  const queue = await device.files()
  await queue.discard(id)
}

/** Downloads all unsent work as a file. Patient files are not in it. */
export async function downloadUnsent(device: Device): Promise<Told> {
  const text = await device.outbox.exportUnsent()
  const name = (await device.name()).replace(/[^\p{L}\p{N}]+/gu, '-')
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `lorgnette-unsent-${name}-${new Date().toISOString().slice(0, 10)}.json`
  link.click()
  // The browser reads the address after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
  const { waiting = 0, refused = 0 } = device.connection.getState().files ?? {}
  const files = waiting + refused
  return {
    tone: files > 0 ? 'warn' : 'good',
    title: 'The file is downloading',
    description: `The work also stays on this device until it is sent.${
      files > 0
        ? ` ${formatNumberOf(files, 'file')} of patients ${files === 1 ? 'is' : 'are'} not in it, and can only be sent from here.`
        : ''
    }`,
  }
}

/** Imports a file of unsent work from another tablet. It skips commands that are already here. */
export async function importUnsent(device: Device, file: Pick<File, 'text'>): Promise<Told> {
  const { added, known, problems } = await device.outbox.importUnsent(await file.text())
  const description = [known > 0 ? `${formatCount(known)} already here.` : '', ...problems].filter(Boolean).join(' ')
  const title = added > 0 ? `${formatNumberOf(added, 'item')} added` : 'Nothing new in this file'
  const tone = problems.length > 0 ? (added > 0 ? 'warn' : 'bad') : 'good'
  return { tone, title, ...(description && { description }) }
}
