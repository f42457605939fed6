import { v7 as uuidv7 } from 'uuid'
import { tellingBytes, typeOfBytes } from '#contract/patients/file-types.ts'
import { mostFileBytes } from '#contract/patients/patient-files.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'
import { partBytes, sendStep } from '#src/sync/files/send-file.ts'
import { nothingSent } from '#src/sync/files/unsent-files.ts'

/** What keeps a chosen file from being a scan; null when nothing does. */
export async function problemOfScan(file: File): Promise<string | null> {
  if (file.size === 0) return 'This file is empty'
  if (file.size > mostFileBytes) return 'This file is too large. The limit is 25 MB'
  const head = new Uint8Array(await file.slice(0, tellingBytes).arrayBuffer())
  return typeOfBytes(head) ? null : 'Unsupported file type. Use PDF, JPEG, PNG, WebP, GIF, HEIC, TIFF or DICOM'
}

/**
 * Puts a file into the patient's record at once, and answers its id there. It needs a connection, as prescriptions do: unlike what the
 * Files tab takes, it does not wait on the device.
 */
export async function uploadScan(
  call: Device['call'],
  idPatient: string,
  file: File,
): Promise<{ ok: true; id: string } | { ok: false; failure: Failure | null }> {
  const id = uuidv7()
  const words = { id_patient: idPatient, name: (file.name || 'Outside prescription').slice(-200), category: 'outside Rx' as const }
  const { signal } = new AbortController()
  const read = (index: number) => file.slice(index * partBytes, (index + 1) * partBytes).arrayBuffer()
  let progress = nothingSent
  // A name, the parts and the last call; some more for a line on which a part goes twice.
  for (let left = Math.ceil(file.size / partBytes) + 10; left > 0; left -= 1) {
    const step = await sendStep(call, { id, size: file.size, part_bytes: partBytes, ...progress }, words, true, read, signal)
    if (step.kind === 'done') return { ok: true, id }
    if (step.kind === 'failed') return { ok: false, failure: step.failure }
    progress = step.progress
  }
  return { ok: false, failure: null }
}
