import { useEffect, useState } from 'react'

/** Returns the time and reads it again every `everyMs`. Ages grow while nothing else changes. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
