import { v7 as uuidv7 } from 'uuid'
import { tellingBytes, typeOfBytes } from '#contract/patients/file-types.ts'
import { mostFileBytes } from '#contract/patients/patient-files.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'
import { partBytes, sendStep } from '#src/sync/files/send-file.ts'
import { nothingSent } from '#src/sync/files/unsent-files.ts'

/** Returns the reason why a chosen file cannot be a scan, or null. */
export async function problemOfScan(file: File): Promise<string | null> {
  if (file.size === 0) return 'This file is empty'
  if (file.size > mostFileBytes) return 'This file is too large. The limit is 25 MB'
  const head = new Uint8Array(await file.slice(0, tellingBytes).arrayBuffer())
  return typeOfBytes(head) ? null : 'Unsupported file type. Use PDF, JPEG, PNG, WebP, GIF, HEIC, TIFF or DICOM'
}

/**
 * Uploads a file into the patient's record, and returns its id. It needs a connection, as prescriptions do. Files of
 * the Files tab can wait on the device; this one cannot.
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
  // A name, the parts and the last call, and some more for a line that drops parts.
  for (let left = Math.ceil(file.size / partBytes) + 10; left > 0; left -= 1) {
    const step = await sendStep(call, { id, size: file.size, part_bytes: partBytes, ...progress }, words, true, read, signal)
    if (step.kind === 'done') return { ok: true, id }
    if (step.kind === 'failed') return { ok: false, failure: step.failure }
    progress = step.progress
  }
  return { ok: false, failure: null }
}
