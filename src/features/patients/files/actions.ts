import { type FileCategory, type PatientFile, patientFileEndpoints } from '#contract/patients/patient-files.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'

/** Saves a new name, category or note of a file. */
export async function changeFile(
  device: Pick<Device, 'call'>,
  id: string,
  body: { filename: string; category: FileCategory; note: string },
): Promise<Outcome<PatientFile>> {
  return await device.call(patientFileEndpoints.changeFile, { params: { id_file: id }, body }, { timeoutMs: 15_000 })
}
