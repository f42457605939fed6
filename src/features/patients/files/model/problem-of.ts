import { tellingBytes, typeOfBytes } from '#contract/patients/file-types.ts'
import { mostFileBytes } from '#contract/patients/patient-files.ts'
import { formatBytes } from '#src/ui/format.ts'

/** What the server would say of a file that was chosen, without sending it; null when it would take it. */
export async function problemOf(file: File): Promise<string | null> {
  if (file.size === 0) return 'The file is empty'
  if (file.size > mostFileBytes) return `The file is too large: ${formatBytes(file.size)}, and at most 25 MB are taken`
  try {
    const head = new Uint8Array(await file.slice(0, tellingBytes).arrayBuffer())
    if (typeOfBytes(head)) return null
  } catch {
    return 'This device does not give the file'
  }
  return 'This kind of file is not taken: PDF, JPEG, PNG, WebP, GIF, HEIC, TIFF and DICOM are'
}
