import { useEffect, useState } from 'react'
import { modelPhotoEndpoints } from '#contract/library/model-photos.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'

const endpoints = { large: modelPhotoEndpoints.modelPhoto, small: modelPhotoEndpoints.modelThumbnail }

type Fetched = { address: string | null; failure: Failure | null }
const nothing: Fetched = { address: null, failure: null }

/** A model's photo, by an address in the memory of this page; null until it is loaded, and when there is none. */
export function useModelPhoto(idPhoto: string | null, size: keyof typeof endpoints): Fetched & { reload: () => void } {
  const device = useDevice()
  const [fetched, setFetched] = useState(nothing)
  const [times, setTimes] = useState(0)
  useEffect(() => {
    if (idPhoto === null) return
    const gone = new AbortController()
    let made: string | null = null
    const fetchIt = async () => {
      const answer = await device.call(endpoints[size], { params: { id_photo: idPhoto } }, { signal: gone.signal })
      if (gone.signal.aborted) return
      if (!answer.ok) return setFetched({ address: null, failure: answer.failure })
      made = URL.createObjectURL(answer.value)
      setFetched({ address: made, failure: null })
    }
    void fetchIt()
    return () => {
      gone.abort()
      setFetched(nothing)
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [device, idPhoto, size, times])
  return { ...fetched, reload: () => setTimes((before) => before + 1) }
}
