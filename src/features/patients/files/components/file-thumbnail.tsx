import { FileText, Image, ScanEye } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type PatientFile, patientFileEndpoints } from '#contract/patients/patient-files.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useNear } from '#src/ui/use-near.ts'

/**
 * The thumbnail of an image, loaded when the row comes near the screen. Other files, and images still loading, show an
 * icon.
 */
export function FileThumbnail({ file }: { file: Pick<PatientFile, 'id_file' | 'mime' | 'has_thumbnail'> }) {
  const place = useRef<HTMLSpanElement>(null)
  const address = useThumbnail(file, useNear(place))
  return (
    <span ref={place} className="flex size-12 shrink-0 items-center justify-center overflow-hidden rounded-md bg-sunken text-ink-2">
      {address === null ? <FileIcon mime={file.mime} /> : <img src={address} alt="" className="size-full object-cover" />}
    </span>
  )
}

/** Returns the object URL of the thumbnail, or null until it is loaded. The bytes stay in the memory of this page. */
function useThumbnail({ id_file, has_thumbnail }: Pick<PatientFile, 'id_file' | 'has_thumbnail'>, isNear: boolean) {
  const device = useDevice()
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!has_thumbnail || !isNear) return
    const gone = new AbortController()
    let made: string | null = null
    const fetchIt = async () => {
      const answer = await device.call(patientFileEndpoints.readFileThumbnail, { params: { id: id_file } }, { signal: gone.signal })
      if (!answer.ok || gone.signal.aborted) return
      made = URL.createObjectURL(new Blob([answer.value], { type: 'image/jpeg' }))
      setAddress(made)
    }
    void fetchIt()
    return () => {
      gone.abort()
      setAddress(null)
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [device, id_file, has_thumbnail, isNear])
  return address
}

function FileIcon({ mime }: { mime: PatientFile['mime'] }) {
  if (mime === 'application/pdf') return <FileText size={20} aria-hidden />
  if (mime === 'application/dicom') return <ScanEye size={20} aria-hidden />
  return <Image size={20} aria-hidden />
}
