import { useCallback, useEffect, useRef } from 'react'
import { type PatientFile, patientFileEndpoints } from '#contract/patients/patient-files.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { type Loaded, useLoaded } from '#src/sync/react/use-loaded.ts'

const timeoutMs = 15_000
/** Enough for 25 MB over a slow connection. */
const contentTimeoutMs = 120_000

/** The files of a patient, newest first. */
export function useFiles(idPatient: string): Loaded<{ files: PatientFile[] }> {
  const device = useDevice()
  const load = useCallback(
    () => device.call(patientFileEndpoints.listFiles, { query: { id_patient: idPatient } }, { timeoutMs }),
    [device, idPatient],
  )
  return useLoaded(load)
}

/** The name, category and other facts of one file. */
export function useFile(id: string): Loaded<PatientFile> {
  const device = useDevice()
  const load = useCallback(() => device.call(patientFileEndpoints.readFile, { params: { id } }, { timeoutMs }), [device, id])
  return useLoaded(load)
}

/**
 * Returns the object URL of the file's bytes. The bytes are in the memory of this page only, and are freed when it
 * closes.
 */
export function useFileContent(file: Pick<PatientFile, 'id_file' | 'mime'> | undefined): Loaded<string | undefined> {
  const device = useDevice()
  const id = file?.id_file
  const mime = file?.mime
  const made = useRef<string[]>([])
  useEffect(() => {
    const addresses = made.current
    return () => {
      for (const address of addresses.splice(0)) URL.revokeObjectURL(address)
    }
  }, [])
  const load = useCallback(async (): Promise<Outcome<string | undefined>> => {
    if (id === undefined || mime === undefined) return { ok: true, value: undefined }
    const answer = await device.call(patientFileEndpoints.readFileContent, { params: { id } }, { timeoutMs: contentTimeoutMs })
    if (!answer.ok) return answer
    // Uses the type of the row, so that a browser never guesses another one.
    const address = URL.createObjectURL(new Blob([answer.value], { type: mime }))
    made.current.push(address)
    return { ok: true, value: address }
  }, [device, id, mime])
  return useLoaded(load)
}
