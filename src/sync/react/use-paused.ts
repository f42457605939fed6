import { useEffect, useState } from 'react'

const pauseMs = 200

/** A line that is being typed, as it was when one last paused: what is worth asking the server for. */
export function usePaused(line: string): string {
  const [paused, setPaused] = useState(line)
  useEffect(() => {
    if (line === paused) return
    const timer = setTimeout(() => setPaused(line), pauseMs)
    return () => clearTimeout(timer)
  }, [line, paused])
  return paused
}
