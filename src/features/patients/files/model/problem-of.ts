import { tellingBytes, typeOfBytes } from '#contract/patients/file-types.ts'
import { mostFileBytes } from '#contract/patients/patient-files.ts'
import { formatBytes } from '#src/ui/format.ts'

/** Returns the reason why the server would refuse this file, or null when it would accept it. Sends nothing. */
export async function problemOf(file: File): Promise<string | null> {
  if (file.size === 0) return 'This file is empty'
  if (file.size > mostFileBytes) return `This file is ${formatBytes(file.size)}. The limit is 25 MB`
  try {
    const head = new Uint8Array(await file.slice(0, tellingBytes).arrayBuffer())
    if (typeOfBytes(head)) return null
  } catch {
    return 'This device can’t read the file'
  }
  return 'Unsupported file type. Use PDF, JPEG, PNG, WebP, GIF, HEIC, TIFF or DICOM'
}
