import { type FileCategory, type PatientFile, patientFileEndpoints } from '#contract/patient-files.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device.ts'

/** What a person changed of a file. */
export async function changeFile(
  device: Pick<Device, 'call'>,
  id: string,
  body: { filename: string; category: FileCategory; note: string },
): Promise<Outcome<PatientFile>> {
  return await device.call(patientFileEndpoints.changeFile, { params: { id_file: id }, body }, { timeoutMs: 15_000 })
}

/** Prints what is at an address through a frame that nobody sees. */
export function printFile(address: string): void {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0;visibility:hidden'
  frame.title = 'Printing'
  frame.addEventListener('load', () => {
    frame.contentWindow?.focus()
    frame.contentWindow?.print()
  })
  // It stays until the next one: a browser that opens its dialog later still needs it.
  document.querySelector('iframe[data-printing]')?.remove()
  frame.dataset['printing'] = ''
  frame.src = address
  document.body.append(frame)
}
