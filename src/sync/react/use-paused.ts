import { useEffect, useState } from 'react'

const pauseMs = 200

/** A typed line as of the user's last pause, for a request to the server. */
export function usePaused(line: string): string {
  const [paused, setPaused] = useState(line)
  useEffect(() => {
    if (line === paused) return
    const timer = setTimeout(() => setPaused(line), pauseMs)
    return () => clearTimeout(timer)
  }, [line, paused])
  return paused
}
